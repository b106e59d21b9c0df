-- Documents whose bytes are safe in the spool while the archive could not take them. A row is written in
-- the same transaction as the success that names its path, and goes when the archive has the bytes.
CREATE TABLE postroom.archive_pending (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The path that was promised. The archive may hold other bytes there; then the final path is another.
  path text NOT NULL,
  -- The spooled file.
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  metadata jsonb NOT NULL,
  -- Whose paths are to be completed: a message, an upload.
  subject_id text,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  next_try_at timestamptz NOT NULL DEFAULT postroom.now(),
  created_at timestamptz NOT NULL DEFAULT postroom.now()
);
-- One document of two mails waits twice, so that the paths of both are completed.
CREATE UNIQUE INDEX archive_pending_document
  ON postroom.archive_pending (path, sha256, coalesce(subject_id, ''));
CREATE INDEX archive_pending_next_try ON postroom.archive_pending (next_try_at);
CREATE INDEX archive_pending_subject ON postroom.archive_pending (subject_id);
