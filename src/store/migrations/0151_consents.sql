-- People who let Postroom read their own mailbox, and what became of it.
CREATE TABLE postroom.consent (
  -- The connection that reads with it: `person:BASE:OBJECT-ID`.
  connection      text PRIMARY KEY,
  person_id       text NOT NULL,
  address         text NOT NULL,
  -- The newest refresh token, encrypted with the key of the installation; null once Entra has refused it.
  sealed          bytea,
  state           text NOT NULL,
  state_reason    text,
  connected_at    timestamptz NOT NULL DEFAULT postroom.now(),
  changed_at      timestamptz NOT NULL DEFAULT postroom.now()
);

-- A sign-in that has begun. The answer of Entra must name its state, once.
CREATE TABLE postroom.consent_request (
  state_hash      text PRIMARY KEY,
  connection      text NOT NULL,
  -- Who must sign in: an object id or an address.
  wanted          text NOT NULL,
  sealed_verifier bytea NOT NULL,
  asked_by        text NOT NULL,
  until           timestamptz NOT NULL
);

-- What a person has to know about their own mailbox.
CREATE TABLE postroom.notice (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  person_id       text NOT NULL,
  text            text NOT NULL,
  at              timestamptz NOT NULL DEFAULT postroom.now(),
  seen_at         timestamptz
);
CREATE INDEX notice_of ON postroom.notice (person_id, id);
