-- The step that caused a notification or a job, as W3C's traceparent; null where nothing is traced.
ALTER TABLE postroom.notification ADD COLUMN trace text;

-- part
ALTER TABLE postroom.job ADD COLUMN trace text;
