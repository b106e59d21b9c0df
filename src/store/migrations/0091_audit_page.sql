-- What a running audit has listed, so that after a restart it goes on with the next page. Removed at its end.
CREATE TABLE postroom.audit_page (
  job_id    uuid NOT NULL,
  page      integer NOT NULL,
  folder_id text NOT NULL,
  -- Where the listing of the folder goes on; null at its end.
  next      text,
  messages  jsonb NOT NULL,
  saved_at  timestamptz NOT NULL DEFAULT postroom.now(),
  PRIMARY KEY (job_id, page)
);
