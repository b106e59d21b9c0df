-- Whether a new message is one that went away under another id is asked for every new message, also in
-- the middle of a first walk, before the database has counted anything: what is gone has an index of
-- its own, so small that no plan can miss it.
CREATE INDEX message_gone ON postroom.message (mailbox, internet_message_id) WHERE is_deleted;
-- Copies are looked for within one mailbox.
DROP INDEX postroom.message_internet_id;
CREATE INDEX message_internet_id ON postroom.message (internet_message_id, mailbox) WHERE internet_message_id IS NOT NULL;
