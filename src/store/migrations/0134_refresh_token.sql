-- The refresh token that Entra gave last for a connection with a person's consent, encrypted.
CREATE TABLE postroom.refresh_token (
  connection      text PRIMARY KEY,
  -- Hash of the token in the settings that this one descends from; another token there replaces it.
  origin_hash     text NOT NULL,
  sealed          bytea NOT NULL,
  changed_at      timestamptz NOT NULL DEFAULT postroom.now()
);
