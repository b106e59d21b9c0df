-- Rises with every claim, so that of two owners the later one is known without a clock.
CREATE SEQUENCE postroom.ingest_token;

-- Whether one of our own claims is alive. A finished mail has no row here; a failed one keeps its row for
-- the count of attempts and the time before which nobody should try again.
CREATE TABLE postroom.ingest_lease (
  app text NOT NULL,
  message_id text NOT NULL,
  owner text NOT NULL,
  token bigint NOT NULL DEFAULT nextval('postroom.ingest_token'),
  until timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 1,
  next_attempt_at timestamptz,
  claimed_at timestamptz NOT NULL DEFAULT postroom.now(),
  PRIMARY KEY (app, message_id)
);
CREATE INDEX ingest_lease_next_attempt ON postroom.ingest_lease (next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;

-- A program that is not ours renews nothing: its claim lives for so long after its last change. The
-- longest prefix of the worker id that matches decides.
CREATE TABLE postroom.ingest_foreign_lease (
  worker_prefix text PRIMARY KEY,
  lease interval NOT NULL CHECK (lease > interval '0')
);
INSERT INTO postroom.ingest_foreign_lease VALUES ('', interval '2 hours');

CREATE FUNCTION postroom.ingest_foreign_lease_of(worker text) RETURNS interval LANGUAGE sql STABLE AS $$
  SELECT lease FROM postroom.ingest_foreign_lease
   WHERE starts_with(coalesce(worker, ''), worker_prefix)
   ORDER BY length(worker_prefix) DESC LIMIT 1
$$;

-- The one rule of who is alive, for the claim, the reaper and the trigger. It must stay VOLATILE: its
-- caller may have waited for a row lock, and only a volatile function looks with a fresh snapshot and so
-- sees the lease that was committed meanwhile.
CREATE FUNCTION postroom.claim_is_live(app text, message text, worker text, changed timestamptz)
RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT CASE WHEN worker LIKE 'ts:%'
    THEN EXISTS (SELECT FROM postroom.ingest_lease l
                  WHERE l.app = claim_is_live.app AND l.message_id = message AND l.owner = worker
                    AND l.until > postroom.now())
    ELSE changed > postroom.now() - postroom.ingest_foreign_lease_of(worker) END
$$;

-- The guard for programs that know nothing of leases. A command attaches it to the shared table; without
-- it our own side is safe all the same. It runs with our rights, as others may not read our leases.
CREATE FUNCTION postroom.guard_email_state() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF current_setting('postroom.ingest_override', true) = 'on' THEN
    RETURN NEW;
  END IF;
  IF OLD.status = 'success' THEN
    IF NEW.status IS DISTINCT FROM 'success' THEN
      RAISE WARNING 'postroom guard: message % stays success (set postroom.ingest_override to on to change it)', OLD.message_id;
    END IF;
    RETURN NULL;
  END IF;
  IF OLD.status = 'processing' AND NEW.status = 'processing'
     AND NEW.worker_id IS DISTINCT FROM OLD.worker_id
     AND postroom.claim_is_live(OLD.app_name, OLD.message_id, OLD.worker_id, OLD.updated_at) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;

-- What was done, once: a second writer of the same line of the same file changes nothing.
CREATE TABLE postroom.ingest_effect (
  email_key text NOT NULL,
  attachment_sha256 text NOT NULL,
  fingerprint text NOT NULL,
  worker text NOT NULL,
  done_at timestamptz NOT NULL DEFAULT postroom.now(),
  PRIMARY KEY (email_key, attachment_sha256, fingerprint)
);

-- The names under which one message is known. The default id changes when a message moves; a program
-- that stores it and one that stores the immutable id must still find each other.
CREATE TABLE postroom.mail_alias (
  mailbox text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('default', 'immutable', 'internet')),
  value text NOT NULL,
  message_id text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT postroom.now(),
  PRIMARY KEY (mailbox, kind, value, message_id)
);
CREATE INDEX mail_alias_message ON postroom.mail_alias (mailbox, message_id);

-- Claims that met somebody else, for the operator.
CREATE TABLE postroom.claim_conflict (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  app text NOT NULL,
  message_id text NOT NULL,
  kind text NOT NULL,
  ours text,
  theirs text,
  at timestamptz NOT NULL DEFAULT postroom.now()
);
