-- The bytes of files that are still in work, so that a worker on another machine can go on. Each machine has a spool on
-- its own disk besides; this copy is removed once a document is archived.
CREATE TABLE postroom.spool_file (
  sha256 text PRIMARY KEY CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  bytes  bytea NOT NULL,
  put_at timestamptz NOT NULL
);
-- PDFs are compressed already; trying again would only cost time.
ALTER TABLE postroom.spool_file ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX spool_file_put_at ON postroom.spool_file (put_at);
