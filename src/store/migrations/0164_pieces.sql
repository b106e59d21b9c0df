-- A model that was made for sentences gives a chunk several vectors, one after the other.
ALTER TABLE postroom.chunk ADD COLUMN pieces integer NOT NULL DEFAULT 1;

-- No statement uses it.
DROP INDEX postroom.chunk_unembedded;
