-- Where each fact of a line stands in its document: page, box and text, as the reading gave them.
ALTER TABLE postroom.trade_line ADD COLUMN evidence jsonb NOT NULL DEFAULT '{}';

-- References as letters and digits alone, so that a correction finds the trade whose reference it prints.
CREATE INDEX trade_plain_reference ON postroom.trade
  (upper(regexp_replace(reference, '[^[:alnum:]]', '', 'g'))) WHERE reference IS NOT NULL;
