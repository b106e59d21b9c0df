CREATE INDEX trade_key ON postroom.trade (trade_key);
CREATE INDEX trade_username ON postroom.trade (username, created_at DESC);
