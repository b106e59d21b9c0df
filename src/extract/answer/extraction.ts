/** What the extractor answers: the kind of document, its trades, and for each value the place it was read from. */

export type DocumentType =
  | "contract-note"
  | "activity-statement"
  | "account-statement"
  | "dividend"
  | "interest"
  | "tax"
  | "corporate-action"
  | "transfer"
  | "cash"
  | "other";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A place on the page. `line` counts the lines of the page from 0; the span is of that line's text. */
export interface Source {
  page: number;
  /** Null where the reading has no positions. */
  box: Box | null;
  span: { line: number; start: number; end: number };
  text: string;
}

export interface FieldAnswer {
  /** As it goes out: ISO days, plain decimals, identifiers without blanks. */
  value: string;
  /** Probability that the value is right. */
  confidence: number;
  /** Null for a value that is computed and printed nowhere. */
  source: Source | null;
  /** The text at the source, read again, gives the value. */
  isGrounded: boolean;
}

export type FieldName =
  | "direction"
  | "tradeDate"
  | "time"
  | "settlementDate"
  | "isin"
  | "wkn"
  | "valor"
  | "sedol"
  | "cusip"
  | "ticker"
  | "name"
  | "quantity"
  | "price"
  | "priceCurrency"
  | "gross"
  | "fees"
  | "taxes"
  | "net"
  | "currency"
  | "fxRate"
  | "grossForeign"
  | "reference"
  | "accountNumber"
  | "accountHolder"
  | "brokerName";

export interface Security {
  isin?: string;
  wkn?: string;
  valor?: string;
  sedol?: string;
  cusip?: string;
  ticker?: string;
  name?: string;
}

export interface ChargeLine {
  label: string;
  /** In the currency of the net; negative for a refund. */
  amount: number;
}

export type AccountType = "individual" | "joint" | "trust" | "corporate";

/**
 * One trade. `gross`, `fees`, `taxes` and `net` are in `currency`, that of the account; `price` is in
 * `priceCurrency`, in whole units. For percent-quoted bonds `quantity` is the nominal.
 */
export interface ExtractedTrade {
  direction: "BUY" | "SELL";
  tradeDate?: string;
  time?: string;
  settlementDate?: string;
  security: Security;
  quantity: number;
  /** The quantity as an exact decimal. */
  quantityText: string;
  isPercentQuoted: boolean;
  price?: number;
  priceCurrency?: string;
  gross: number;
  fees: ChargeLine[];
  taxes: ChargeLine[];
  net: number;
  currency?: string;
  fx: { rate?: number; grossForeign?: number; currency?: string };
  reference?: string;
  accountNumber?: string;
  accountHolder?: string;
  accountType?: AccountType;
  brokerName?: string;
  /** The note takes an earlier trade back. */
  isCancellation: boolean;
  /** It does so by undoing a booking, and not because the trade never came to be. */
  isReversal: boolean;
  perField: Partial<Record<FieldName, FieldAnswer>>;
  /** Probability that direction, day, security, quantity, currency and net are all right. */
  confidence: number;
  reasons: string[];
  /** What a second reader reads otherwise: a person decides. */
  doubts?: string[];
  /** Sure enough to be booked without a person, and every core value stands where it was read. */
  canAutoConfirm: boolean;
}

export interface Extraction {
  documentType: DocumentType;
  documentTypeReason: string;
  trades: ExtractedTrade[];
  /** Something adds up like a trade, and too little says that it is one. */
  isNearTrade?: boolean;
  confidence: number;
  reasons: string[];
}
