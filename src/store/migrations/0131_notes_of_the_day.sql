-- The overview counts the notes of the day every few seconds.
CREATE INDEX trade_document_created ON postroom.trade_document (created_at);
