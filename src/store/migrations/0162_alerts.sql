-- What people are told: conditions that hold now, and the lines about them that wait for each channel.
CREATE TABLE postroom.alert (
  name            text PRIMARY KEY,
  since           timestamptz NOT NULL,
  is_told         boolean NOT NULL DEFAULT false,
  -- For the line about questions: the last one that it counted.
  position        bigint NOT NULL DEFAULT 0
);

CREATE TABLE postroom.alert_line (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  channel         text NOT NULL,
  text            text NOT NULL,
  at              timestamptz NOT NULL,
  sent_at         timestamptz,
  attempts        integer NOT NULL DEFAULT 0,
  next_at         timestamptz NOT NULL,
  last_error      text
);
CREATE INDEX alert_line_waiting ON postroom.alert_line (channel, id) WHERE sent_at IS NULL;
