-- Several Microsoft tenants in one installation: what people of one tenant see of the rows. Their requests run as the
-- role postroom_limited, which is created where there are several tenants; policies show everything to everybody else.
-- A row whose tenant is not known is hidden from them. One table for each part, because a policy locks its table.
CREATE FUNCTION postroom.is_wide() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT current_user <> 'postroom_limited'
$$;

-- The connections of the caller's tenant are set with the role. `person:BASE:OBJECT-ID` belongs to its base.
CREATE FUNCTION postroom.reaches(connection text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT postroom.is_wide()
    OR (CASE WHEN connection LIKE 'person:%' THEN split_part(connection, ':', 2) ELSE connection END)
      = ANY (coalesce(current_setting('postroom.connections', true), '{}')::text[])
$$;

CREATE FUNCTION postroom.reaches_address(address text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT postroom.is_wide()
    OR EXISTS (SELECT FROM postroom.mailbox m WHERE lower(m.address) = lower(reaches_address.address))
$$;

-- A job says which mailbox it is about, by number or by address. Of those that name none, only these types belong to the
-- tenant whose people call the API.
CREATE FUNCTION postroom.reaches_job(type text, payload json) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT postroom.is_wide() OR CASE
    WHEN payload->>'mailbox' IS NOT NULL THEN EXISTS (SELECT FROM postroom.mailbox m
      WHERE m.id::text = payload->>'mailbox' OR lower(m.address) = lower(payload->>'mailbox'))
    WHEN type = 'apply-review' THEN EXISTS (SELECT FROM postroom.review r WHERE r.id::text = payload->>'review')
    ELSE type IN ('ingest-file', 'ProcessEmailToDocument', 'poll-emails', 'BatchProcessEmails', 'sweep-documents',
      'ai-analyze', 'document-processing', 'follow-documents', 'UploadFinalization', 'Profile', 'Indexing',
      'DeepAnalysis')
  END
$$;

-- part
ALTER TABLE postroom.mailbox ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.mailbox USING (postroom.reaches(connection));

-- part
ALTER TABLE postroom.folder ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.folder USING (postroom.is_wide()
  OR mailbox IN (SELECT id FROM postroom.mailbox));

-- part
ALTER TABLE postroom.message ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.message USING (postroom.is_wide()
  OR mailbox IN (SELECT id FROM postroom.mailbox));

-- part
ALTER TABLE postroom.event ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.event USING (postroom.is_wide()
  OR mailbox IN (SELECT id FROM postroom.mailbox));

-- part
ALTER TABLE postroom.subscription ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.subscription USING (postroom.is_wide()
  OR mailbox IN (SELECT id FROM postroom.mailbox));

-- part
ALTER TABLE postroom.filing_rule ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.filing_rule USING (postroom.is_wide()
  OR mailbox IN (SELECT id FROM postroom.mailbox));

-- part
ALTER TABLE postroom.notification ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.notification USING (postroom.is_wide()
  OR subscription IN (SELECT id FROM postroom.subscription));

-- part
ALTER TABLE postroom.consent ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.consent USING (postroom.reaches(connection));

-- part
ALTER TABLE postroom.consent_request ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.consent_request USING (postroom.reaches(connection));

-- part
ALTER TABLE postroom.refresh_token ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.refresh_token USING (postroom.reaches(connection));

-- part: what was uploaded or came from a watched folder belongs to the tenant whose people call the API
ALTER TABLE postroom.trade_document ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.trade_document USING (mailbox IS NULL OR postroom.reaches_address(mailbox));

-- part
ALTER TABLE postroom.trade_line ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.trade_line USING (postroom.is_wide()
  OR EXISTS (SELECT FROM postroom.trade_document d WHERE d.id = document_id));

-- part
ALTER TABLE postroom.trade_document_link ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.trade_document_link USING (postroom.is_wide()
  OR EXISTS (SELECT FROM postroom.trade_document d WHERE d.id = document_id));

-- part
ALTER TABLE postroom.trade ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.trade USING (postroom.is_wide()
  OR EXISTS (SELECT FROM postroom.trade_document_link l WHERE l.trade_id = trade.id));

-- part: the list of orders is one for the installation; an order is seen with its trade
ALTER TABLE postroom.trade_order ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.trade_order USING (postroom.is_wide()
  OR EXISTS (SELECT FROM postroom.trade t WHERE t.order_id = trade_order.id));

-- part
ALTER TABLE postroom.trade_decision ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.trade_decision USING (postroom.is_wide()
  OR EXISTS (SELECT FROM postroom.trade_document d WHERE d.id = document_id)
  OR EXISTS (SELECT FROM postroom.trade_line l WHERE l.id = line_id)
  OR EXISTS (SELECT FROM postroom.trade t WHERE t.id = trade_id));

-- part
ALTER TABLE postroom.review ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.review USING (postroom.is_wide()
  OR EXISTS (SELECT FROM postroom.trade_document d WHERE d.id = document_id)
  OR EXISTS (SELECT FROM postroom.trade_line l WHERE l.id = line_id)
  OR EXISTS (SELECT FROM postroom.trade t WHERE t.id = trade_id));

-- part
ALTER TABLE postroom.mail_alias ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.mail_alias USING (postroom.reaches_address(mailbox));

-- part
ALTER TABLE postroom.ingest_trace ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.ingest_trace USING (postroom.is_wide()
  OR EXISTS (SELECT FROM postroom.mailbox b JOIN postroom.message m
              ON m.mailbox = b.id AND m.message_id = ingest_trace.message_id)
  OR EXISTS (SELECT FROM postroom.trade_document d WHERE d.message_id = ingest_trace.message_id));

-- part
ALTER TABLE postroom.ingest_stage ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.ingest_stage USING (postroom.is_wide()
  OR EXISTS (SELECT FROM postroom.trade_document d WHERE d.email_key = ingest_stage.email_key));

-- part
ALTER TABLE postroom.job ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.job USING (postroom.reaches_job(type, payload));

-- part
ALTER TABLE postroom.job_event ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.job_event USING (postroom.is_wide()
  OR EXISTS (SELECT FROM postroom.job j WHERE j.id = job_id));

-- part
ALTER TABLE postroom.job_replay_item ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.job_replay_item USING (postroom.is_wide()
  OR EXISTS (SELECT FROM postroom.job j WHERE j.id = job_id));

-- part: tokens are those of one tenant, so only the operator key acts for another
ALTER TABLE postroom.action ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.action USING (postroom.is_wide() OR who <> 'operator');

-- part: this table and those that follow concern the installation as a whole
ALTER TABLE postroom.snapshot ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.snapshot USING (postroom.is_wide());

-- part
ALTER TABLE postroom.event_feed_state ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.event_feed_state USING (postroom.is_wide());

-- part
ALTER TABLE postroom.approved_sender ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.approved_sender USING (postroom.is_wide());

-- part
ALTER TABLE postroom.person ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.person USING (postroom.is_wide());

-- part
ALTER TABLE postroom.sink ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.sink USING (postroom.is_wide());

-- part
ALTER TABLE postroom.sink_outbox ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.sink_outbox USING (postroom.is_wide());

-- part
ALTER TABLE postroom.trade_change ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.trade_change USING (postroom.is_wide());

-- part
ALTER TABLE postroom.legal_hold ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.legal_hold USING (postroom.is_wide());

-- part
ALTER TABLE postroom.erasure ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.erasure USING (postroom.is_wide());

-- part
ALTER TABLE postroom.job_schedule ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.job_schedule USING (postroom.is_wide());

-- part
ALTER TABLE postroom.job_replay ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.job_replay USING (postroom.is_wide());

-- part
ALTER TABLE postroom.archive_pending ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.archive_pending USING (postroom.is_wide());

-- part
ALTER TABLE postroom.ingest_lease ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.ingest_lease USING (postroom.is_wide()
  OR EXISTS (SELECT FROM postroom.mailbox b JOIN postroom.message m
              ON m.mailbox = b.id AND m.message_id = ingest_lease.message_id));

-- part
ALTER TABLE postroom.ingest_effect ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.ingest_effect USING (postroom.is_wide());

-- part
ALTER TABLE postroom.claim_conflict ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.claim_conflict USING (postroom.is_wide()
  OR EXISTS (SELECT FROM postroom.mailbox b JOIN postroom.message m
              ON m.mailbox = b.id AND m.message_id = claim_conflict.message_id));

-- part
ALTER TABLE postroom.audit_page ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON postroom.audit_page USING (postroom.is_wide());
