-- A reservation belongs to a person and a place, so that nobody can block a name for others: which of two files gets
-- it is for the drive to say. Files of mail keep a place each.
DROP INDEX postroom.filing_place;
CREATE UNIQUE INDEX filing_reservation ON postroom.filing (drive_id, lower(path), coalesce(owner_id, ''))
  WHERE state = 'pending' AND source IN ('upload', 'session');
CREATE UNIQUE INDEX filing_mail_place ON postroom.filing (drive_id, lower(path)) WHERE source IN ('email', 'attachment');
CREATE INDEX filing_place ON postroom.filing (drive_id, lower(path));
-- One file, one filing: whoever replaces a file goes on with its filing.
CREATE INDEX filing_item ON postroom.filing (drive_id, item_id);
