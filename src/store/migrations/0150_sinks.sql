-- Other programs that get events and trades as they happen.
CREATE TABLE postroom.sink (
  id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name            text NOT NULL UNIQUE,
  kind            text NOT NULL,
  -- Where it sends to, without any secret; null for the outbox.
  address         text,
  -- The secret that signs or opens, encrypted with the key of the installation.
  sealed          bytea,
  sends_events    boolean NOT NULL,
  sends_trades    boolean NOT NULL,
  -- The last position of each feed that the receiver has taken.
  event_position  bigint NOT NULL,
  trade_position  bigint NOT NULL,
  sent            bigint NOT NULL DEFAULT 0,
  last_sent_at    timestamptz,
  -- Failures since the last success, why, and when to try again.
  failures        integer NOT NULL DEFAULT 0,
  last_error      text,
  next_at         timestamptz,
  added_by        text NOT NULL,
  added_at        timestamptz NOT NULL DEFAULT postroom.now()
);

-- What other programs read with SQL. They delete what they have dealt with.
CREATE TABLE postroom.sink_outbox (
  sink            text NOT NULL,
  id              text NOT NULL,
  number          bigint GENERATED ALWAYS AS IDENTITY,
  type            text NOT NULL,
  at              timestamptz NOT NULL,
  data            jsonb NOT NULL,
  written_at      timestamptz NOT NULL DEFAULT postroom.now(),
  PRIMARY KEY (sink, id)
);
CREATE INDEX sink_outbox_in_order ON postroom.sink_outbox (sink, number);

-- The feed of trades: each status that each trade has had.
CREATE TABLE postroom.trade_change (
  position        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The same if the same change is written again after a restore.
  id              text NOT NULL,
  trade           uuid NOT NULL,
  status          text NOT NULL,
  at              timestamptz NOT NULL DEFAULT postroom.now()
);
CREATE INDEX trade_change_of ON postroom.trade_change (trade);

-- Whoever books holds this lock already. It is taken again for other writers, so that positions are committed in order:
-- a reader that has passed a position never finds an earlier one later.
CREATE FUNCTION postroom.note_trade_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7070020);
  INSERT INTO postroom.trade_change (id, trade, status)
  SELECT md5(concat_ws('|', NEW.fingerprint, NEW.status, count(*))), NEW.id, NEW.status
    FROM postroom.trade_change WHERE trade = NEW.id AND status = NEW.status;
  RETURN NULL;
END $$;
CREATE TRIGGER trade_change_added AFTER INSERT ON postroom.trade
  FOR EACH ROW EXECUTE FUNCTION postroom.note_trade_change();
CREATE TRIGGER trade_change_moved AFTER UPDATE OF status ON postroom.trade
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION postroom.note_trade_change();
