-- Which document of the index holds a file.
CREATE INDEX indexed_document_file ON postroom.indexed_document (drive_id, item_id);
