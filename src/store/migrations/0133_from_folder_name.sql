-- The name that the folder had when the message left it; null for events that no folder was left in.
ALTER TABLE postroom.event ADD COLUMN from_folder_name text;
