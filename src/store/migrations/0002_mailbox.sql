CREATE TABLE postroom.mailbox (
  id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Which tenant and app it is read with; the settings name the first one `default`.
  connection      text NOT NULL DEFAULT 'default',
  address         text NOT NULL,
  graph_user_id   text,
  -- Who may see its events.
  owner_id        text NOT NULL,
  observes        boolean NOT NULL DEFAULT true,
  -- The folder whose new mail is ingested; null ingests nothing.
  ingest_folder   text,
  -- Graph tells times of arrival in whole seconds.
  ingest_since    timestamptz NOT NULL DEFAULT date_trunc('second', postroom.now()),
  status          text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'unreachable')),
  status_reason   text,
  delivery        text NOT NULL DEFAULT 'delta' CHECK (delivery IN ('push', 'delta', 'poll')),
  delivery_reason text NOT NULL DEFAULT 'no subscription yet',
  last_event_at   timestamptz,
  last_delta_at   timestamptz,
  last_audit_at   timestamptz,
  folders_delta_link text,
  -- The longest subscription that Graph granted, where it refused ours.
  subscription_minutes_max integer,
  -- Events seen before this were kept long enough and removed.
  forgotten_before timestamptz,
  created_at      timestamptz NOT NULL DEFAULT postroom.now(),
  UNIQUE (connection, address)
);

CREATE TABLE postroom.folder (
  mailbox        integer NOT NULL REFERENCES postroom.mailbox ON DELETE CASCADE,
  folder_id      text NOT NULL,
  parent_id      text,
  display_name   text NOT NULL,
  well_known     text,
  is_excluded    boolean NOT NULL DEFAULT false,
  is_gone        boolean NOT NULL DEFAULT false,
  delta_link     text,
  -- A resync raises it; what still carries an older one when the walk ends is gone.
  generation     integer NOT NULL DEFAULT 0,
  is_walking     boolean NOT NULL DEFAULT false,
  last_delta_at  timestamptz,
  last_reset_at  timestamptz,
  resets         integer NOT NULL DEFAULT 0,
  PRIMARY KEY (mailbox, folder_id)
);

-- What we know of each message now. Metadata only: no body, no preview, no recipients.
CREATE TABLE postroom.message (
  mailbox          integer NOT NULL REFERENCES postroom.mailbox ON DELETE CASCADE,
  message_id       text NOT NULL,
  folder_id        text NOT NULL,
  is_read          boolean NOT NULL,
  is_draft         boolean NOT NULL,
  is_deleted       boolean NOT NULL DEFAULT false,
  -- Found gone by one look; a later one makes sure.
  is_doubtful      boolean NOT NULL DEFAULT false,
  gone_at          timestamptz,
  flag             text NOT NULL,
  categories       text[] NOT NULL,
  change_key       text NOT NULL,
  modified_at      timestamptz NOT NULL,
  -- How often it came back after having been gone.
  lives            integer NOT NULL DEFAULT 0,
  generation       integer NOT NULL DEFAULT 0,
  -- When we asked for what this row says, by the database's clock; an answer that was asked for
  -- earlier does not undo it.
  looked_at        timestamptz NOT NULL,
  first_event_at   timestamptz,
  last_event_at    timestamptz,
  internet_message_id text,
  received_at      timestamptz,
  subject          text,
  sender_name      text,
  sender_email     text,
  importance       text NOT NULL,
  has_attachments  boolean NOT NULL,
  conversation_id  text,
  has_list_unsubscribe boolean NOT NULL,
  is_automated     boolean NOT NULL,
  PRIMARY KEY (mailbox, message_id)
);
CREATE INDEX message_internet_id ON postroom.message (internet_message_id) WHERE internet_message_id IS NOT NULL;
CREATE INDEX message_doubtful ON postroom.message (mailbox) WHERE is_doubtful;
CREATE INDEX message_folder ON postroom.message (mailbox, folder_id, generation) WHERE NOT is_deleted;

-- What happened, once. A row is never changed after it was written.
CREATE TABLE postroom.event (
  seq              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id          text NOT NULL,
  mailbox          integer NOT NULL,
  message_id       text NOT NULL,
  event_type       text NOT NULL,
  -- Empty for what can happen once; tells repeatable changes of one message apart.
  change           text NOT NULL,
  at               timestamptz NOT NULL,
  seen_by          text NOT NULL,
  seen_at          timestamptz NOT NULL,
  folder_id        text NOT NULL,
  folder_name      text,
  from_folder      text,
  is_read          boolean NOT NULL,
  flag             text NOT NULL,
  categories       text[] NOT NULL,
  internet_message_id text,
  received_at      timestamptz,
  subject          text,
  sender_name      text,
  sender_email     text,
  importance       text NOT NULL,
  has_attachments  boolean NOT NULL,
  conversation_id  text,
  has_list_unsubscribe boolean NOT NULL,
  is_automated     boolean NOT NULL,
  related_message_id text
);
CREATE UNIQUE INDEX event_once ON postroom.event (user_id, mailbox, message_id, event_type, change);
CREATE INDEX event_seen ON postroom.event (seen_at);

-- What Graph told us. Narrow, since every one is written before it is acknowledged.
CREATE TABLE postroom.notification (
  key          uuid PRIMARY KEY,
  subscription integer NOT NULL,
  change       smallint NOT NULL,
  message_id   text NOT NULL,
  received_at  timestamptz NOT NULL,
  job_at       timestamptz
);
CREATE INDEX notification_waiting ON postroom.notification (received_at) WHERE job_at IS NULL;
CREATE INDEX notification_received ON postroom.notification USING brin (received_at);

CREATE SCHEMA IF NOT EXISTS padealing;
CREATE TABLE IF NOT EXISTS padealing.graph_subscription_state (
    id SERIAL PRIMARY KEY,
    subscription_id VARCHAR(255) NOT NULL UNIQUE,
    resource VARCHAR(500) NOT NULL,
    notification_url VARCHAR(500) NOT NULL,
    lifecycle_url VARCHAR(500),
    expiration_datetime TIMESTAMPTZ NOT NULL,
    status VARCHAR(20) NOT NULL DEFAULT 'active',
    last_renewed_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT NOW()
);
CREATE INDEX IF NOT EXISTS idx_graph_subscription_expiry
    ON padealing.graph_subscription_state (expiration_datetime)
    WHERE status = 'active';

-- What the shared table has no room for. A row stands before Graph is asked, so that a notification
-- that overtakes Graph's answer already has a secret to be checked against.
CREATE TABLE postroom.subscription (
  id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  mailbox         integer NOT NULL REFERENCES postroom.mailbox ON DELETE CASCADE,
  subscription_id text UNIQUE,
  resource        text NOT NULL,
  change_type     text NOT NULL,
  -- SHA-256 of the clientState; the value itself is nowhere kept.
  secret_hash     bytea NOT NULL,
  status          text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'active', 'expired', 'removed', 'replaced')),
  expires_at      timestamptz,
  certificate_id  text,
  last_notification_at timestamptz,
  error_count     integer NOT NULL DEFAULT 0,
  last_error      text,
  created_at      timestamptz NOT NULL DEFAULT postroom.now(),
  updated_at      timestamptz NOT NULL DEFAULT postroom.now()
);
CREATE UNIQUE INDEX subscription_active ON postroom.subscription (mailbox, resource) WHERE status = 'active';
