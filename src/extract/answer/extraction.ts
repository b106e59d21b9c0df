/** The extractor's answer: the kind of document, its trades and, for each value, where it was read. */

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

/**
 * A place on the page. `line` counts the lines of the page from 0; `span` is a range within that line's text.
 */
export interface Source {
  page: number;
  /** Null if the reading has no positions. */
  box: Box | null;
  span: { line: number; start: number; end: number };
  text: string;
}

export interface FieldAnswer {
  /** In output format: ISO dates, plain decimals, identifiers without whitespace. */
  value: string;
  /** Probability that the value is right. */
  confidence: number;
  /** Null for a value that is computed rather than printed. */
  source: Source | null;
  /** True if reading the text at the source again gives the value. */
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
 * One trade. `gross`, `fees`, `taxes` and `net` are in `currency`, the currency of the account; `price` is in
 * `priceCurrency`, in whole units. For bonds quoted in percent, `quantity` is the nominal.
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
  /** The note cancels an earlier trade. */
  isCancellation: boolean;
  /** True if the cancellation reverses a booking, false if the trade never came about. */
  isReversal: boolean;
  perField: Partial<Record<FieldName, FieldAnswer>>;
  /** Probability that direction, trade date, security, quantity, currency and net are all right. */
  confidence: number;
  reasons: string[];
  /** Where a second reader disagrees; a person then decides. */
  doubts?: string[];
  /**
   * True if the confidence is high enough to book without a person and every core value is printed where it
   * was read.
   */
  canAutoConfirm: boolean;
  /**
   * True if a second reader that reads the same core values may confirm the trade: its arithmetic is not in
   * doubt, and every core value is printed where it was read.
   */
  canBeSeconded: boolean;
}

export interface Extraction {
  documentType: DocumentType;
  documentTypeReason: string;
  trades: ExtractedTrade[];
  /** Some numbers add up like a trade, but too little else says that they are one. */
  isNearTrade?: boolean;
  confidence: number;
  reasons: string[];
}
