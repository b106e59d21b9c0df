-- The order in which readers see events. `event.seq` is drawn before the commit, so a reader that goes by it
-- misses what commits late; a position is given after the commit, and nothing ever appears before it.
CREATE TABLE postroom.event_feed (
  position bigint PRIMARY KEY,
  event    bigint NOT NULL UNIQUE
);

-- How far positions have been given: every event visible in `snapshot` has one. Null: any event may lack one.
CREATE TABLE postroom.event_feed_state (
  is_only    boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- The last position given; kept here because retention removes rows of the feed.
  position   bigint NOT NULL,
  snapshot   pg_snapshot,
  -- Transaction ids mean nothing in another cluster, into which a dump may have been restored.
  cluster    bigint,
  -- A pass of several batches: it makes `snapshot` equal to `pass_to`, and has come to this event.
  pass_to    pg_snapshot,
  pass_after bigint NOT NULL DEFAULT 0
);
INSERT INTO postroom.event_feed_state (position) SELECT coalesce(max(seq), 0) FROM postroom.event;

-- The transaction that wrote the event; null in events older than the feed, whose position is their seq.
-- The default comes in a statement of its own: with the column it would rewrite the table.
ALTER TABLE postroom.event ADD COLUMN xid xid8;
ALTER TABLE postroom.event ALTER COLUMN xid SET DEFAULT pg_current_xact_id();
CREATE INDEX event_xid ON postroom.event (xid) WHERE xid IS NOT NULL;
