-- What vouches for a document's sender: the headers that our Exchange wrote, or who uploaded it. Kept, so that a
-- document that is routed again is judged alike. Null for documents from before: nobody vouches for them.
ALTER TABLE postroom.trade_document ADD COLUMN sender_evidence jsonb;

-- Addresses (desk@broker.example) and whole domains (@broker.example) whose notes are booked without a person.
CREATE TABLE postroom.approved_sender (
  pattern text PRIMARY KEY CHECK (pattern = lower(pattern)),
  approved_by text NOT NULL,
  approved_at timestamptz NOT NULL DEFAULT postroom.now(),
  -- The last day on which it counts; null without end.
  until date
);

-- People of the firm, besides those who placed orders. Each source replaces its own rows as a whole.
CREATE TABLE postroom.person (
  source text NOT NULL CHECK (source IN ('directory', 'import')),
  email text NOT NULL CHECK (email = lower(email)),
  name text NOT NULL,
  username text NOT NULL,
  accounts text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (source, email, name)
);
