-- What people save from Outlook and Word. The row is taken before anything outside changes; its id is the job that the
-- add-in follows.
CREATE TABLE postroom.office_save (
  id           uuid PRIMARY KEY,
  -- The person who saves, by object id.
  owner_id     text NOT NULL,
  -- The idempotency key of the request; after a day it is replaced by the id, so that it can be used again.
  key          text NOT NULL,
  digest       text NOT NULL,
  -- What was saved where. Null once its document is gone, so that it can be saved again.
  content_key  text UNIQUE,
  -- Facts about what was saved; never the content of a mail or a file.
  facts        jsonb NOT NULL,
  -- The row in postroom.job; null until the files are on the drive.
  job_id       uuid,
  -- Until then no other request works on this save.
  locked_until timestamptz NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT postroom.now(),
  UNIQUE (owner_id, key)
);
CREATE INDEX office_save_newest ON postroom.office_save (owner_id, created_at DESC);
CREATE INDEX office_save_unfinished ON postroom.office_save (locked_until) WHERE job_id IS NULL;

-- How often a person called, in segments of ten seconds, for all servers together.
CREATE TABLE postroom.office_call (
  person  text NOT NULL,
  kind    text NOT NULL,
  segment timestamptz NOT NULL,
  calls   integer NOT NULL,
  PRIMARY KEY (person, kind, segment)
);

-- Not validated: it only permits more than before, and a large table is not read.
ALTER TABLE postroom.filing DROP CONSTRAINT filing_source_check;
ALTER TABLE postroom.filing ADD CONSTRAINT filing_source_check
  CHECK (source IN ('upload', 'session', 'email', 'attachment', 'office')) NOT VALID;
-- Finds what anybody has saved of one message; who may see it is asked of Dataverse.
CREATE INDEX office_save_message ON postroom.office_save ((facts -> 'mail' ->> 'internetMessageId'));
