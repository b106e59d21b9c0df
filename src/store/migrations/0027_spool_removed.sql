-- When the bytes of an archived document left the spool; until then it holds a second copy.
ALTER TABLE postroom.trade_document ADD COLUMN spool_removed_at timestamptz;
CREATE INDEX trade_document_spooled ON postroom.trade_document (processed_at)
  WHERE spool_removed_at IS NULL AND status = 'parsed';
CREATE INDEX ingest_trace_at ON postroom.ingest_trace (at);
