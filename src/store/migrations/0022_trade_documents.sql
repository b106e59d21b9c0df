-- A file that may hold trades. Its row is committed before anybody reads the file, so that even a file
-- that takes the reader down is known. One row per mail and content: the same bytes twice in a mail are one.
CREATE TABLE postroom.trade_document (
  id uuid PRIMARY KEY,
  email_key text NOT NULL,
  sha256 text NOT NULL,
  source text NOT NULL CHECK (source IN ('graph_webhook', 'manual_upload', 'poller')),
  mailbox text,
  message_id text,
  sender_email text NOT NULL,
  received_at timestamptz NOT NULL,
  filename text NOT NULL,
  size_bytes bigint NOT NULL,
  -- Where in the mail it was: attachment, inline, a mail inside the mail.
  found_in text NOT NULL,
  status text NOT NULL DEFAULT 'received' CHECK (status IN ('received', 'parsed', 'unreadable', 'rejected')),
  document_type text,
  -- Why it is unreadable, or what was found instead of trades.
  reason text,
  reads integer NOT NULL DEFAULT 0,
  text_sha256 text,
  archive_path text,
  created_at timestamptz NOT NULL DEFAULT postroom.now(),
  processed_at timestamptz,
  UNIQUE (email_key, sha256)
);
CREATE INDEX trade_document_message ON postroom.trade_document (message_id);
CREATE INDEX trade_document_sha256 ON postroom.trade_document (sha256);

-- What a stage of the walk has found, so that a restart repeats neither a parse nor an archive write.
-- A new version of a stage does its work again.
CREATE TABLE postroom.ingest_stage (
  email_key text NOT NULL,
  attachment_sha256 text NOT NULL,
  stage text NOT NULL,
  version text NOT NULL,
  result jsonb NOT NULL,
  worker text NOT NULL,
  done_at timestamptz NOT NULL DEFAULT postroom.now(),
  PRIMARY KEY (email_key, attachment_sha256, stage, version)
);

-- The steps in the order in which they were taken, every try of them.
CREATE TABLE postroom.ingest_trace (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id text NOT NULL,
  worker text NOT NULL,
  step text NOT NULL,
  name text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}',
  at timestamptz NOT NULL DEFAULT postroom.now()
);
CREATE INDEX ingest_trace_message ON postroom.ingest_trace (message_id, id);
