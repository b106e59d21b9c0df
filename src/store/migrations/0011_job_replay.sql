-- Replays of dead letters: who asked, why, for which, and what became of each.
CREATE TABLE postroom.job_replay (
  id          uuid PRIMARY KEY,
  who         text NOT NULL,
  why         text NOT NULL,
  filter      json NOT NULL,
  -- Dead letters that come later belong to a later replay, so a replay cannot chase its own failures.
  until_at    timestamptz NOT NULL,
  per_second  integer NOT NULL,
  total       integer NOT NULL,
  created_at  timestamptz NOT NULL,
  finished_at timestamptz
);
CREATE INDEX job_replay_open ON postroom.job_replay (created_at) WHERE finished_at IS NULL;

CREATE TABLE postroom.job_replay_item (
  replay_id  uuid NOT NULL REFERENCES postroom.job_replay ON DELETE CASCADE,
  job_id     uuid NOT NULL,
  new_job_id uuid,
  -- replayed, superseded (its key is held by another job) or dismissed.
  result     text NOT NULL,
  at         timestamptz NOT NULL,
  PRIMARY KEY (replay_id, job_id)
);
CREATE INDEX job_replay_item_job ON postroom.job_replay_item (job_id);
