-- What a person was expected to trade.
CREATE TABLE postroom.trade_order (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  reference text NOT NULL UNIQUE,
  username text NOT NULL,
  user_email text,
  holder_name text,
  direction text NOT NULL CHECK (direction IN ('BUY', 'SELL')),
  ticker text,
  isin text,
  sedol text,
  cusip text,
  description text,
  quantity numeric NOT NULL CHECK (quantity > 0),
  limit_price numeric CHECK (limit_price > 0),
  currency text,
  placed_on date NOT NULL,
  valid_until date,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'executed', 'cancelled')),
  created_at timestamptz NOT NULL DEFAULT postroom.now(),
  updated_at timestamptz NOT NULL DEFAULT postroom.now()
);
CREATE INDEX trade_order_open ON postroom.trade_order (username) WHERE status = 'open';

-- A trade as it happened in the world, once, however many documents tell of it.
CREATE TABLE postroom.trade (
  id uuid PRIMARY KEY,
  trade_key text NOT NULL,
  fingerprint text NOT NULL UNIQUE,
  reference_key text,
  economic_key text NOT NULL,
  occurrence integer NOT NULL,
  status text NOT NULL CHECK (status IN ('confirmed', 'cancelled', 'amended', 'withdrawn')),
  confirmed_by text NOT NULL,
  needs_audit boolean NOT NULL,
  username text NOT NULL,
  sender_email text NOT NULL,
  direction text NOT NULL CHECK (direction IN ('BUY', 'SELL')),
  quantity numeric NOT NULL CHECK (quantity > 0),
  price numeric,
  price_currency text,
  currency text,
  gross numeric,
  fees numeric,
  taxes numeric,
  net numeric,
  trade_date date NOT NULL,
  isin text,
  ticker text,
  reference text,
  confidence numeric NOT NULL,
  facts jsonb NOT NULL,
  -- The trade that this one corrects.
  corrects_id uuid REFERENCES postroom.trade (id),
  order_id bigint REFERENCES postroom.trade_order (id),
  order_state text NOT NULL CHECK (order_state IN ('linked', 'unmatched', 'in-review', 'no-orders')),
  match_matrix jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL DEFAULT postroom.now(),
  updated_at timestamptz NOT NULL DEFAULT postroom.now()
);
CREATE INDEX trade_reference ON postroom.trade (reference_key) WHERE reference_key IS NOT NULL;
CREATE INDEX trade_economic ON postroom.trade (economic_key);
CREATE INDEX trade_created ON postroom.trade (created_at DESC);
CREATE UNIQUE INDEX trade_order_once ON postroom.trade (order_id)
  WHERE order_id IS NOT NULL AND status = 'confirmed';

-- A trade as one line of one document tells it, and what was made of it.
CREATE TABLE postroom.trade_line (
  id uuid PRIMARY KEY,
  document_id uuid NOT NULL REFERENCES postroom.trade_document (id),
  position integer NOT NULL,
  facts jsonb NOT NULL,
  confidence numeric NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('confirmed', 'same', 'cancels', 'amends', 'review', 'rejected')),
  trade_id uuid REFERENCES postroom.trade (id),
  explanation jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT postroom.now(),
  UNIQUE (document_id, position)
);
CREATE INDEX trade_line_trade ON postroom.trade_line (trade_id);

CREATE TABLE postroom.trade_document_link (
  trade_id uuid NOT NULL REFERENCES postroom.trade (id),
  document_id uuid NOT NULL REFERENCES postroom.trade_document (id),
  is_primary boolean NOT NULL,
  PRIMARY KEY (trade_id, document_id)
);
CREATE UNIQUE INDEX trade_document_link_primary ON postroom.trade_document_link (trade_id) WHERE is_primary;
CREATE INDEX trade_document_link_document ON postroom.trade_document_link (document_id);

-- Who decided what and why. Nothing here is changed but the mark that a later decision took it back.
CREATE TABLE postroom.trade_decision (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  actor text NOT NULL,
  line_id uuid REFERENCES postroom.trade_line (id),
  trade_id uuid REFERENCES postroom.trade (id),
  document_id uuid REFERENCES postroom.trade_document (id),
  order_id bigint REFERENCES postroom.trade_order (id),
  explanation jsonb NOT NULL,
  before jsonb,
  undoes bigint REFERENCES postroom.trade_decision (id),
  undone_by bigint REFERENCES postroom.trade_decision (id),
  at timestamptz NOT NULL DEFAULT postroom.now()
);
CREATE INDEX trade_decision_trade ON postroom.trade_decision (trade_id);
CREATE INDEX trade_decision_line ON postroom.trade_decision (line_id);
CREATE INDEX trade_decision_document ON postroom.trade_decision (document_id);
CREATE INDEX trade_figures ON postroom.trade (trade_date, direction, quantity);
