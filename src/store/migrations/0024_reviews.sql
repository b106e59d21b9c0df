-- A question to a person: about one line of a document, a whole document, or the order of a trade.
CREATE TABLE postroom.review (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject text NOT NULL CHECK (subject IN ('line', 'document', 'order')),
  line_id uuid REFERENCES postroom.trade_line (id),
  document_id uuid REFERENCES postroom.trade_document (id),
  trade_id uuid REFERENCES postroom.trade (id),
  reason text NOT NULL,
  reasons jsonb NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'decided', 'applied')),
  assignee text,
  opened_at timestamptz NOT NULL DEFAULT postroom.now(),
  decided_at timestamptz,
  decided_by text,
  -- What was decided, as given by the person.
  decision jsonb,
  -- Why a decision could not be carried out; the question is open again then.
  refusal text
);
CREATE INDEX review_open ON postroom.review (opened_at) WHERE status = 'open';
CREATE INDEX review_line ON postroom.review (line_id);
CREATE INDEX review_document ON postroom.review (document_id);
-- One open question about one thing.
CREATE UNIQUE INDEX review_open_once ON postroom.review
  (subject, coalesce(line_id, trade_id, document_id)) WHERE status <> 'applied';
