-- The database's own clock. Tests move it per connection; everything else gets the wall clock, which,
-- unlike now(), also moves inside a transaction.
CREATE FUNCTION postroom.now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT coalesce(nullif(current_setting('postroom.now', true), '')::timestamptz, clock_timestamp())
$$;

CREATE FUNCTION postroom.epoch_ms(at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (extract(epoch FROM at) * 1000)::bigint
$$;
