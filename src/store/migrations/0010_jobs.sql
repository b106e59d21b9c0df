-- Jobs. This table is the truth on every engine; what an engine carries are hints to look here.
CREATE SEQUENCE postroom.job_token;
CREATE SEQUENCE postroom.job_worker_id;

CREATE TABLE postroom.job (
  id            uuid PRIMARY KEY,
  type          text NOT NULL,
  queue         text NOT NULL,
  subject_id    text NOT NULL,
  correlation_id text NOT NULL,
  owner_id      text,
  key           text NOT NULL,
  -- json and not jsonb: it is handed over and compared, never searched.
  payload       json NOT NULL,
  -- Queued, Running, then one of Completed, Failed, Poisoned, Cancelled; never back.
  state         text NOT NULL DEFAULT 'Queued',
  attempt       smallint NOT NULL DEFAULT 0,
  max_attempts  smallint NOT NULL,
  -- Workers that died or lost the lease while they ran it; these are not attempts.
  takeovers     smallint NOT NULL DEFAULT 0,
  -- Rises with every change that a reader of the status can see.
  version       integer NOT NULL DEFAULT 1,
  -- Not finished. An index condition of its own, so that a claim changes no index.
  is_open       boolean NOT NULL DEFAULT true,
  -- A finished job that failed gives its key back.
  holds_key     boolean NOT NULL DEFAULT true,
  -- Failed or Poisoned, and nobody has replayed or dismissed it.
  is_dead       boolean NOT NULL DEFAULT false,
  lease_owner   bigint,
  lease_token   bigint,
  -- The real clock, unlike the times below: liveness is never played with.
  leased_at     timestamptz,
  created_at    timestamptz NOT NULL,
  due_at        timestamptz NOT NULL,
  started_at    timestamptz,
  finished_at   timestamptz,
  error_code    text,
  error_message text,
  note          text,
  -- Fingerprint of why it died.
  cause         text,
  replay_of     uuid,
  replayed_as   uuid
) WITH (fillfactor = 60);

CREATE UNIQUE INDEX job_key ON postroom.job (key, type) WHERE holds_key;
CREATE INDEX job_open ON postroom.job (queue, due_at) WHERE is_open;
CREATE INDEX job_dead ON postroom.job (cause, id) WHERE is_dead;

-- One row per running process; its lease covers all jobs that name it.
CREATE TABLE postroom.job_worker (
  id         bigint PRIMARY KEY DEFAULT nextval('postroom.job_worker_id'),
  name       text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  until      timestamptz NOT NULL
);

-- Jobs on their way to an engine outside this database; a row is removed once the engine has it.
CREATE TABLE postroom.job_outbox (
  seq    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job_id uuid NOT NULL,
  due_at timestamptz NOT NULL
);

-- What happened inside a job that people watch, numbered by the job's version.
CREATE TABLE postroom.job_event (
  job_id  uuid NOT NULL,
  version integer NOT NULL,
  at      timestamptz NOT NULL,
  name    text NOT NULL,
  data    json NOT NULL,
  PRIMARY KEY (job_id, version)
);

CREATE TABLE postroom.job_schedule (
  name     text PRIMARY KEY,
  type     text NOT NULL,
  rule     text NOT NULL,
  next_at  timestamptz NOT NULL,
  last_at  timestamptz,
  last_job uuid
);
