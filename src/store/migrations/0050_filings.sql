-- A file on its way to a drive and to its record. The row is committed before anything outside is
-- touched, so whatever a crash leaves behind has an owner here.
CREATE TABLE postroom.filing (
  -- Also the id of the record in Dataverse.
  id              uuid PRIMARY KEY,
  -- What the id was made of: two attempts at the same thing meet here.
  key             text NOT NULL UNIQUE,
  source          text NOT NULL CHECK (source IN ('upload', 'session', 'email', 'attachment')),
  -- The person who acts, by object id; null is the app itself.
  owner_id        text,
  drive_id        text NOT NULL,
  path            text NOT NULL,
  name            text NOT NULL,
  size            bigint NOT NULL,
  mime_type       text,
  -- Null while the content is not known as a whole.
  sha256          text,
  -- Kept by us too, so that an upload can go on without its sender.
  is_spooled      boolean NOT NULL DEFAULT false,
  -- False when the caller makes the record himself.
  wants_record    boolean NOT NULL DEFAULT true,
  -- Columns of the record beyond those of the file: lookups, facts of a mail.
  columns         jsonb NOT NULL DEFAULT '{}',
  state           text NOT NULL DEFAULT 'pending'
                  CHECK (state IN ('pending', 'uploaded', 'recorded', 'refused', 'missing')),
  -- Why it was refused, or what is missing.
  reason          text,
  -- The session's URL lets anybody write, so it is sealed.
  session         bytea,
  session_bytes   bigint NOT NULL DEFAULT 0,
  item_id         text,
  web_url         text,
  created_at      timestamptz NOT NULL DEFAULT postroom.now(),
  changed_at      timestamptz NOT NULL DEFAULT postroom.now(),
  checked_at      timestamptz
);
-- One place, one filing, whatever the case of its letters: drives do not tell them apart.
CREATE UNIQUE INDEX filing_place ON postroom.filing (drive_id, lower(path));
CREATE INDEX filing_open ON postroom.filing (changed_at) WHERE state IN ('pending', 'uploaded');
CREATE INDEX filing_newest ON postroom.filing (created_at DESC, id);
CREATE INDEX filing_check ON postroom.filing (checked_at NULLS FIRST) WHERE state = 'recorded';
