-- Who writes an analysis: a number that rises with every run, so that a run that was taken over cannot write late.
ALTER TABLE postroom.analysis ADD COLUMN attempt integer NOT NULL DEFAULT 1;
-- What a playbook with a schema found, as data.
ALTER TABLE postroom.analysis ADD COLUMN result jsonb;
-- The same work is not paid for twice at once.
CREATE UNIQUE INDEX analysis_running ON postroom.analysis (key, person_id) WHERE state = 'running';
CREATE INDEX analysis_finished ON postroom.analysis (key, author) WHERE state = 'completed';
