-- What the last audit of a mailbox found: {"inMailbox", "inLog", "findings"}.
ALTER TABLE postroom.mailbox ADD COLUMN last_audit jsonb;
