-- Answers to requests that carried an idempotency key, so that a repeated request gets the first one's answer and its
-- work is done once. Rows are removed after a day.
CREATE TABLE postroom.kept_answer (
  caller text NOT NULL,
  key text NOT NULL,
  operation text NOT NULL,
  -- Of the URL and the body; another request under the same key is a mistake of the caller.
  request_digest text NOT NULL,
  -- Null until the first request has ended.
  status integer,
  content_type text,
  body text,
  begun_at timestamptz NOT NULL DEFAULT postroom.now(),
  PRIMARY KEY (caller, key)
);
CREATE INDEX kept_answer_begun_at ON postroom.kept_answer (begun_at);
