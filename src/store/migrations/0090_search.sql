-- The index of filed documents: what was read of each, cut into chunks.

-- Typing errors are found by trigrams. Without the extension, search works without tolerance for them.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA postroom;
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
  RAISE NOTICE 'pg_trgm is not available: %', SQLERRM;
END $$;

CREATE TABLE postroom.indexed_document (
  -- The id of the record in Dataverse.
  document_id   uuid PRIMARY KEY,
  tenant_id     text NOT NULL,
  -- The row version that was read, and the hash of the file: the same ones are not read again.
  version       text NOT NULL,
  sha256        text NOT NULL,
  -- Rises with every new set of chunks and is part of their ids.
  generation    integer NOT NULL,
  name          text NOT NULL,
  kind          text,
  parent_type   text,
  parent_id     text,
  parent_name   text,
  sender        text,
  mailbox       text,
  -- When the document came into being: the date of a mail, otherwise of the record.
  dated_at      timestamptz,
  web_url       text,
  drive_id      text,
  item_id       text,
  -- A text search configuration.
  language      text NOT NULL,
  chunk_count   integer NOT NULL,
  -- Why there is no text, if there is none.
  reason        text,
  created_at    timestamptz NOT NULL DEFAULT postroom.now(),
  indexed_at    timestamptz NOT NULL DEFAULT postroom.now()
);
CREATE INDEX indexed_document_parent ON postroom.indexed_document (parent_id);
CREATE INDEX indexed_document_dated ON postroom.indexed_document (dated_at);

CREATE TABLE postroom.chunk (
  no            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- {document}_{number}_v{generation}
  id            text NOT NULL UNIQUE,
  tenant_id     text NOT NULL,
  document_id   uuid NOT NULL REFERENCES postroom.indexed_document ON DELETE CASCADE,
  chunk_index   integer NOT NULL,
  -- Where it begins in the text of the document.
  start_at      integer NOT NULL,
  content       text NOT NULL,
  -- For each page that it touches: the number, the label, where the page begins in the content, and the box.
  pages         jsonb NOT NULL,
  language      text NOT NULL,
  words         tsvector NOT NULL,
  -- One signed byte per dimension; null until it is computed.
  vector        bytea,
  embedder      text,
  -- The transaction that wrote it: a reader of new chunks must not miss one that commits late.
  written_by    xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX chunk_document ON postroom.chunk (document_id, chunk_index);
CREATE INDEX chunk_words ON postroom.chunk USING gin (words);
CREATE INDEX chunk_written ON postroom.chunk (written_by) WHERE vector IS NOT NULL;
CREATE INDEX chunk_unembedded ON postroom.chunk (no) WHERE vector IS NULL;

-- In how many chunks a word stem occurs: rare ones count more, and unknown ones are typing errors.
CREATE TABLE postroom.stem (
  stem    text PRIMARY KEY,
  chunks  integer NOT NULL
) WITH (fillfactor = 60);

DO $$
DECLARE
  home text := (SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
                 WHERE e.extname = 'pg_trgm');
BEGIN
  IF home IS NOT NULL THEN
    EXECUTE format('CREATE INDEX stem_trigrams ON postroom.stem USING gin (stem %I.gin_trgm_ops)', home);
  END IF;
END $$;

-- How far we have followed the changes of documents in Dataverse.
CREATE TABLE postroom.document_feed (
  name        text PRIMARY KEY,
  link        text NOT NULL,
  changed_at  timestamptz NOT NULL DEFAULT postroom.now()
);

-- What models were asked for, by person and day.
CREATE TABLE postroom.model_usage (
  person_id          text NOT NULL,
  day                date NOT NULL,
  model              text NOT NULL,
  calls              integer NOT NULL DEFAULT 0,
  failed_calls       integer NOT NULL DEFAULT 0,
  prompt_tokens      bigint NOT NULL DEFAULT 0,
  completion_tokens  bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (person_id, day, model)
);

-- An analysis of a document: what a playbook made of it.
CREATE TABLE postroom.analysis (
  id              uuid PRIMARY KEY,
  -- Document, playbook with its version, and hash of the content: nothing is paid for twice.
  key             text NOT NULL,
  tenant_id       text NOT NULL,
  person_id       text NOT NULL,
  document_id     uuid NOT NULL,
  document_name   text NOT NULL,
  playbook_id     text NOT NULL,
  playbook_version integer NOT NULL,
  state           text NOT NULL CHECK (state IN ('running', 'completed', 'degraded', 'failed', 'cancelled')),
  -- Who wrote it: a model's name, or `extractive`.
  author          text,
  content         text NOT NULL DEFAULT '',
  -- Further questions and answers about it, oldest first.
  turns           jsonb NOT NULL DEFAULT '[]',
  error           text,
  saved_as        uuid,
  prompt_tokens   integer NOT NULL DEFAULT 0,
  completion_tokens integer NOT NULL DEFAULT 0,
  created_at      timestamptz NOT NULL DEFAULT postroom.now(),
  changed_at      timestamptz NOT NULL DEFAULT postroom.now()
);
CREATE INDEX analysis_key ON postroom.analysis (key, person_id, created_at DESC);
CREATE INDEX analysis_person ON postroom.analysis (person_id, created_at DESC);
