-- The database's own clock. Tests move it per connection; everything else gets the wall clock, which,
-- unlike now(), also moves inside a transaction.
CREATE FUNCTION postroom.now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT coalesce(nullif(current_setting('postroom.now', true), '')::timestamptz, clock_timestamp())
$$;

CREATE FUNCTION postroom.epoch_ms(at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (extract(epoch FROM at) * 1000)::bigint
$$;

-- Who may do a thing that only one process should do at a time. Liveness only: whoever depends on it
-- for safety compares the token when it writes.
CREATE SEQUENCE postroom.lease_token;
CREATE TABLE postroom.lease (
  name   text PRIMARY KEY,
  owner  text NOT NULL,
  token  bigint NOT NULL DEFAULT nextval('postroom.lease_token'),
  until  timestamptz NOT NULL
);
