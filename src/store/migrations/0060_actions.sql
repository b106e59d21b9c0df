-- What people did through the API. The row is written before the action, so that a crash cannot hide one;
-- the outcome follows.
CREATE TABLE postroom.action (
  action_id uuid PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT postroom.now(),
  who text NOT NULL,
  who_name text,
  operation text NOT NULL,
  path text NOT NULL,
  correlation_id text NOT NULL,
  -- The HTTP status of the answer; null while it runs, or when the process died meanwhile.
  status integer
);
CREATE INDEX action_at ON postroom.action (at DESC);
CREATE INDEX action_who ON postroom.action (who, at DESC);
