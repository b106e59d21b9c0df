-- How many jobs of this type may share a message.
ALTER TABLE postroom.job_outbox ADD COLUMN together smallint NOT NULL DEFAULT 1;
