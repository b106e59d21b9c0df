-- A notification with encrypted content waits a moment for it to be opened; after that time its job
-- reads the message itself.
ALTER TABLE postroom.notification ADD COLUMN sealed_until timestamptz;

-- What such a notification said of its message: the properties that events are made of, nothing else.
-- A row lives until the job of its notification has used it.
CREATE TABLE postroom.snapshot (
  notification uuid PRIMARY KEY,
  message      jsonb NOT NULL,
  created_at   timestamptz NOT NULL
);
