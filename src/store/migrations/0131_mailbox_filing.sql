-- Folders of watched mailboxes whose mail is filed. A folder is named by its id, its well-known name or its
-- display name; * stands for the whole mailbox.
CREATE TABLE postroom.filing_rule (
  mailbox         integer NOT NULL REFERENCES postroom.mailbox ON DELETE CASCADE,
  folder          text NOT NULL,
  -- The row that the documents belong to, like sprk_matter:{id}.
  parent          text,
  -- A drive id; null lets the parent or the settings decide.
  container_id    text,
  -- Mail received earlier is filed only on request. Exchange gives the time of receipt in whole seconds.
  since           timestamptz NOT NULL DEFAULT date_trunc('second', postroom.now()),
  PRIMARY KEY (mailbox, folder)
);

-- What a mail is recognised by, whether it was read from a mailbox or through Dataverse: one mail, one document.
ALTER TABLE postroom.filing ADD COLUMN mail_key text;
CREATE UNIQUE INDEX filing_mail ON postroom.filing (mail_key) WHERE mail_key IS NOT NULL;
CREATE INDEX filing_message_id ON postroom.filing ((columns->>'sprk_emailmessageid')) WHERE source = 'email';
-- Why a person should look at a filed document; null if nobody needs to.
ALTER TABLE postroom.filing ADD COLUMN review text;
CREATE INDEX filing_review ON postroom.filing (created_at DESC) WHERE review IS NOT NULL;
