-- What must not be erased: a person, a trade or a contract note, and why.
CREATE TABLE postroom.legal_hold (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind        text NOT NULL CHECK (kind IN ('person', 'trade', 'note')),
  -- An address, or the id of the trade or note.
  subject     text NOT NULL,
  reason      text NOT NULL,
  set_by      text NOT NULL,
  set_at      timestamptz NOT NULL DEFAULT postroom.now(),
  released_by text,
  released_at timestamptz
);
CREATE INDEX legal_hold_of ON postroom.legal_hold (kind, subject) WHERE released_at IS NULL;

-- Erasures that were carried out. The person is named by a hash only; files are listed until they are removed.
CREATE TABLE postroom.erasure (
  id          uuid PRIMARY KEY,
  person_hash text NOT NULL,
  asked_by    text NOT NULL,
  at          timestamptz NOT NULL DEFAULT postroom.now(),
  counts      jsonb NOT NULL,
  kept        integer NOT NULL,
  files       jsonb NOT NULL,
  finished_at timestamptz
);

-- Everything of one person that is not held, in one transaction. One function, because a place that one forgets is a
-- place that is not erased, and because the keys between the tables dictate the order. Returns what was erased, what
-- was kept and why, and which files nothing refers to any more.
CREATE FUNCTION postroom.erase_person(erased_address text, person_ids text[], boxes integer[], shared text,
  paths_column text)
RETURNS TABLE (action text, place text, item text, count bigint, reason text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  names text[] := ARRAY(SELECT username FROM postroom.person WHERE email = erased_address
                        UNION SELECT username FROM postroom.trade_order WHERE lower(user_email) = erased_address);
  held text := (SELECT reason FROM postroom.legal_hold h WHERE h.released_at IS NULL AND h.kind = 'person'
                  AND h.subject = erased_address ORDER BY h.id LIMIT 1);
  n bigint;
BEGIN
  -- Booking must not add to what is being erased.
  PERFORM pg_advisory_xact_lock(7070020);
  CREATE TEMP TABLE erased_trade ON COMMIT DROP AS
    SELECT t.id, (SELECT h.reason FROM postroom.legal_hold h WHERE h.released_at IS NULL
        AND ((h.kind = 'person' AND h.subject = erased_address) OR (h.kind = 'trade' AND h.subject = t.id::text)
          OR (h.kind = 'note' AND h.subject IN (SELECT l.document_id::text FROM postroom.trade_document_link l
                                                WHERE l.trade_id = t.id)))
        ORDER BY h.id LIMIT 1) AS hold
      FROM postroom.trade t WHERE t.username = ANY(names) OR lower(t.sender_email) = erased_address;
  CREATE TEMP TABLE erased_note ON COMMIT DROP AS
    SELECT d.id, d.sha256, d.email_key, d.message_id, d.archive_path,
      (SELECT h.reason FROM postroom.legal_hold h WHERE h.released_at IS NULL
        AND ((h.kind = 'person' AND h.subject = erased_address) OR (h.kind = 'note' AND h.subject = d.id::text)
          OR (h.kind = 'trade' AND h.subject IN (
               SELECT l.trade_id::text FROM postroom.trade_document_link l WHERE l.document_id = d.id)))
        ORDER BY h.id LIMIT 1) AS hold,
      EXISTS (SELECT FROM postroom.trade_document_link l WHERE l.document_id = d.id
               AND l.trade_id NOT IN (SELECT id FROM erased_trade)) AS is_of_others
      FROM postroom.trade_document d
     WHERE lower(d.sender_email) = erased_address OR lower(d.mailbox) = erased_address
        OR EXISTS (SELECT FROM postroom.trade_document_link l JOIN erased_trade t ON t.id = l.trade_id
                    WHERE l.document_id = d.id);
  -- What reports a trade that is kept is kept with it, and so is a trade whose note is kept.
  UPDATE erased_note e SET hold = t.hold FROM erased_trade t, postroom.trade_document_link l
   WHERE l.trade_id = t.id AND l.document_id = e.id AND t.hold IS NOT NULL AND e.hold IS NULL;
  RETURN QUERY SELECT 'kept', 'trade', id::text, 1::bigint, 'legal hold: ' || hold FROM erased_trade WHERE hold IS NOT NULL;
  RETURN QUERY SELECT 'kept', 'note', id::text, 1::bigint, 'legal hold: ' || hold FROM erased_note WHERE hold IS NOT NULL;
  RETURN QUERY SELECT 'kept', 'note', id::text, 1::bigint, 'it also reports a trade of somebody else'
    FROM erased_note WHERE hold IS NULL AND is_of_others;
  -- A person who is held keeps everything.
  IF held IS NOT NULL THEN
    RETURN QUERY SELECT 'kept', 'mailbox', m.address, (SELECT count(*) FROM postroom.event e WHERE e.mailbox = m.id),
      'legal hold: ' || held FROM postroom.mailbox m WHERE m.id = ANY(boxes);
    RETURN QUERY SELECT 'kept', 'order', o.reference, 1::bigint, 'legal hold: ' || held
      FROM postroom.trade_order o WHERE lower(o.user_email) = erased_address OR o.username = ANY(names);
    RETURN QUERY SELECT 'kept', 'document in the index', document_id::text, 1::bigint, 'legal hold: ' || held
      FROM postroom.indexed_document WHERE lower(sender) = erased_address OR lower(mailbox) = erased_address;
    RETURN QUERY SELECT 'kept', 'person', erased_address, 1::bigint, 'legal hold: ' || held;
    RETURN;
  END IF;
  DELETE FROM erased_trade WHERE hold IS NOT NULL;
  DELETE FROM erased_note WHERE hold IS NOT NULL OR is_of_others;

  DELETE FROM postroom.review r WHERE r.trade_id IN (SELECT id FROM erased_trade)
     OR r.document_id IN (SELECT id FROM erased_note)
     OR r.line_id IN (SELECT l.id FROM postroom.trade_line l WHERE l.document_id IN (SELECT id FROM erased_note));
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN QUERY SELECT 'erased', 'questions', NULL, n, NULL;
  CREATE TEMP TABLE erased_decision ON COMMIT DROP AS SELECT id FROM postroom.trade_decision d
    WHERE d.trade_id IN (SELECT id FROM erased_trade) OR d.document_id IN (SELECT id FROM erased_note)
       OR d.line_id IN (SELECT l.id FROM postroom.trade_line l WHERE l.document_id IN (SELECT id FROM erased_note));
  UPDATE postroom.trade_decision SET undoes = NULL WHERE undoes IN (SELECT id FROM erased_decision);
  UPDATE postroom.trade_decision SET undone_by = NULL WHERE undone_by IN (SELECT id FROM erased_decision);
  DELETE FROM postroom.trade_decision WHERE id IN (SELECT id FROM erased_decision);
  DELETE FROM postroom.trade_document_link WHERE trade_id IN (SELECT id FROM erased_trade)
     OR document_id IN (SELECT id FROM erased_note);
  UPDATE postroom.trade_line SET trade_id = NULL WHERE trade_id IN (SELECT id FROM erased_trade);
  DELETE FROM postroom.trade_line WHERE document_id IN (SELECT id FROM erased_note);
  UPDATE postroom.trade SET corrects_id = NULL WHERE corrects_id IN (SELECT id FROM erased_trade);
  DELETE FROM postroom.trade_change WHERE trade IN (SELECT id FROM erased_trade);
  DELETE FROM postroom.trade WHERE id IN (SELECT id FROM erased_trade);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN QUERY SELECT 'erased', 'trades', NULL, n, NULL;
  DELETE FROM postroom.trade_document WHERE id IN (SELECT id FROM erased_note);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN QUERY SELECT 'erased', 'notes', NULL, n, NULL;
  -- The same file may have come from somebody else too.
  RETURN QUERY SELECT 'file', 'spool', sha256, 1::bigint, NULL FROM (SELECT DISTINCT sha256 FROM erased_note) e
    WHERE NOT EXISTS (SELECT FROM postroom.trade_document d WHERE d.sha256 = e.sha256);
  RETURN QUERY SELECT 'file', 'archive', archive_path, 1::bigint, NULL
    FROM (SELECT DISTINCT archive_path FROM erased_note WHERE archive_path IS NOT NULL) e
    WHERE NOT EXISTS (SELECT FROM postroom.trade_document d WHERE d.archive_path = e.archive_path);
  DELETE FROM postroom.spool_file f USING erased_note e WHERE f.sha256 = e.sha256
     AND NOT EXISTS (SELECT FROM postroom.trade_document d WHERE d.sha256 = f.sha256);
  DELETE FROM postroom.archive_pending p USING erased_note e WHERE p.path = e.archive_path OR p.sha256 = e.sha256;
  DELETE FROM postroom.ingest_stage s USING erased_note e
   WHERE s.email_key = e.email_key AND s.attachment_sha256 = e.sha256;
  -- Mail of theirs of which no note is left, also mail that never had one. Its journal has the message for a file.
  CREATE TEMP TABLE erased_mail (message_id text PRIMARY KEY) ON COMMIT DROP;
  EXECUTE format('INSERT INTO erased_mail SELECT message_id FROM erased_note WHERE message_id IS NOT NULL
    UNION SELECT message_id FROM %I.email_ingestion_state WHERE lower(sender_email) = $1 OR lower(mailbox_email) = $1',
    shared) USING erased_address;
  DELETE FROM erased_mail m USING postroom.trade_document d WHERE d.message_id = m.message_id;
  DELETE FROM postroom.ingest_stage s USING erased_mail m WHERE s.attachment_sha256 = m.message_id;
  DELETE FROM postroom.ingest_effect f USING erased_note e
   WHERE f.email_key = e.email_key AND f.attachment_sha256 = e.sha256;
  DELETE FROM postroom.ingest_trace t USING erased_mail m WHERE t.message_id = m.message_id;
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN QUERY SELECT 'erased', 'traces of ingestion', NULL, n, NULL;
  DELETE FROM postroom.trade_order o WHERE (lower(o.user_email) = erased_address OR o.username = ANY(names))
     AND NOT EXISTS (SELECT FROM postroom.trade t WHERE t.order_id = o.id)
     AND NOT EXISTS (SELECT FROM postroom.trade_decision d WHERE d.order_id = o.id);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN QUERY SELECT 'erased', 'orders', NULL, n, NULL;
  RETURN QUERY SELECT 'kept', 'order', o.reference, 1::bigint, 'a trade that is kept fulfils it'
    FROM postroom.trade_order o WHERE lower(o.user_email) = erased_address OR o.username = ANY(names);

  -- The message stays known by its id, so that it is not ingested again from the mailbox that it is in.
  -- Paths in the archive name the sender and the file.
  EXECUTE format('UPDATE %I.email_ingestion_state SET sender_email = NULL, subject = NULL, %I = DEFAULT
    WHERE lower(sender_email) = $1 OR lower(mailbox_email) = $1', shared, paths_column) USING erased_address;
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN QUERY SELECT 'redacted', 'rows of the shared table', NULL, n, NULL;
  EXECUTE format('UPDATE %I.email_ingestion_state SET mailbox_email = ''erased'' WHERE lower(mailbox_email) = $1',
    shared) USING erased_address;
  DELETE FROM postroom.mail_alias WHERE lower(mailbox) = erased_address;

  CREATE TEMP TABLE erased_event ON COMMIT DROP AS
    SELECT seq FROM postroom.event WHERE user_id = ANY(person_ids) OR mailbox = ANY(boxes);
  DELETE FROM postroom.event_feed WHERE event IN (SELECT seq FROM erased_event);
  DELETE FROM postroom.event WHERE seq IN (SELECT seq FROM erased_event);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN QUERY SELECT 'erased', 'events', NULL, n, NULL;
  UPDATE postroom.event SET sender_name = NULL, sender_email = NULL, subject = NULL WHERE lower(sender_email) = erased_address;
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN QUERY SELECT 'redacted', 'events of mail that they sent to others', NULL, n, NULL;
  UPDATE postroom.message SET sender_name = NULL, sender_email = NULL, subject = NULL WHERE lower(sender_email) = erased_address;
  DELETE FROM postroom.snapshot WHERE strpos(lower(message::text), erased_address) > 0;
  DELETE FROM postroom.audit_page WHERE strpos(lower(messages::text), erased_address) > 0;
  DELETE FROM postroom.mailbox WHERE id = ANY(boxes);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN QUERY SELECT 'erased', 'mailboxes', NULL, n, NULL;
  DELETE FROM postroom.consent WHERE person_id = ANY(person_ids) OR address = erased_address;
  DELETE FROM postroom.consent_request WHERE lower(wanted) = erased_address OR wanted = ANY(person_ids);
  DELETE FROM postroom.notice WHERE person_id = ANY(person_ids);
  DELETE FROM postroom.sink_outbox WHERE strpos(lower(data::text), erased_address) > 0;

  RETURN QUERY SELECT 'index', 'search', document_id::text, 1::bigint, NULL FROM postroom.indexed_document
    WHERE lower(sender) = erased_address OR lower(mailbox) = erased_address;
  DELETE FROM postroom.analysis WHERE person_id = ANY(person_ids)
     OR document_id IN (SELECT document_id FROM postroom.indexed_document WHERE lower(sender) = erased_address);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN QUERY SELECT 'erased', 'analyses', NULL, n, NULL;
  DELETE FROM postroom.filing WHERE strpos(lower(columns::text), erased_address) > 0;
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN QUERY SELECT 'erased', 'rows about filed mail', NULL, n, NULL;
  DELETE FROM postroom.office_save WHERE owner_id = ANY(person_ids) OR strpos(lower(facts::text), erased_address) > 0;
  DELETE FROM postroom.office_call WHERE person = ANY(person_ids);
  DELETE FROM postroom.model_usage WHERE person_id = ANY(person_ids);
  DELETE FROM postroom.kept_answer WHERE caller = ANY(person_ids) OR strpos(lower(body), erased_address) > 0;
  DELETE FROM postroom.person WHERE email = erased_address;
  DELETE FROM postroom.approved_sender WHERE pattern = erased_address;
  CREATE TEMP TABLE erased_job ON COMMIT DROP AS SELECT id FROM postroom.job j WHERE NOT j.is_open AND
    (strpos(lower(j.payload::text), erased_address) > 0 OR j.owner_id = ANY(person_ids)
     OR strpos(lower(coalesce(j.note, '') || coalesce(j.error_message, '')), erased_address) > 0
     OR j.subject_id IN (SELECT sha256 FROM erased_note));
  DELETE FROM postroom.job_event WHERE job_id IN (SELECT id FROM erased_job);
  DELETE FROM postroom.job WHERE id IN (SELECT id FROM erased_job);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN QUERY SELECT 'erased', 'finished jobs', NULL, n, NULL;
  UPDATE postroom.action SET who_name = NULL WHERE who = ANY(person_ids) AND who_name IS NOT NULL;
  UPDATE postroom.action SET path = '(erased)' WHERE strpos(lower(path), erased_address) > 0
     OR strpos(lower(path), replace(erased_address, '@', '%40')) > 0;
  RETURN QUERY SELECT 'kept', 'action', action_id::text, 1::bigint, 'who did what must stay provable; the name was removed'
    FROM postroom.action WHERE who = ANY(person_ids);
END $$;

-- Where a text still occurs, in any column that can hold text.
CREATE FUNCTION postroom.find_text(wanted text) RETURNS TABLE (place text, count bigint) LANGUAGE plpgsql AS $$
DECLARE c record;
BEGIN
  FOR c IN SELECT n.nspname AS s, t.relname AS t, a.attname AS a FROM pg_attribute a
      JOIN pg_class t ON t.oid = a.attrelid AND t.relkind IN ('r', 'p') JOIN pg_namespace n ON n.oid = t.relnamespace
     WHERE a.attnum > 0 AND NOT a.attisdropped AND n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema'
       AND format_type(a.atttypid, NULL) IN ('text', 'text[]', 'character varying', 'json', 'jsonb', 'tsvector')
     ORDER BY 1, 2, 3
  LOOP
    RETURN QUERY EXECUTE format(
      'SELECT %L::text, count(*) FROM %I.%I WHERE strpos(lower(%I::text), $1) > 0 HAVING count(*) > 0',
      c.s || '.' || c.t || '.' || c.a, c.s, c.t, c.a) USING lower(wanted);
  END LOOP;
END $$;
