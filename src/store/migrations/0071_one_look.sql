-- New mail is dispatched before changes of known mail.
CREATE INDEX notification_dispatch ON postroom.notification ((change <> 1), received_at, key) WHERE job_at IS NULL;
DROP INDEX postroom.notification_waiting;
-- Finds the pending look at a message.
CREATE INDEX job_subject ON postroom.job (type, subject_id) WHERE is_open;
