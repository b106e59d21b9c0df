-- A document whose message another program finished while we were reading it is `elsewhere`.
ALTER TABLE postroom.trade_document DROP CONSTRAINT trade_document_status_check;
ALTER TABLE postroom.trade_document ADD CONSTRAINT trade_document_status_check
  CHECK (status IN ('received', 'parsed', 'unreadable', 'rejected', 'elsewhere')) NOT VALID;
CREATE INDEX trade_document_unfinished ON postroom.trade_document (message_id) WHERE status = 'received';

-- part: checks the rows that are there without keeping others from writing
ALTER TABLE postroom.trade_document VALIDATE CONSTRAINT trade_document_status_check;
