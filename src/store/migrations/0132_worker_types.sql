-- The types of job that a worker can run; null for a worker of an older version, which is taken to know all.
ALTER TABLE postroom.job_worker ADD COLUMN types text[];

-- When a live worker last knew each type, by the real clock.
CREATE TABLE postroom.job_type (
  type            text PRIMARY KEY,
  served_at       timestamptz NOT NULL
);
