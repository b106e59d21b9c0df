-- The generation of chunks that a search service outside the database holds; null if it holds none.
ALTER TABLE postroom.indexed_document ADD COLUMN copied_generation integer;
