/** What the contract-note factory makes, and the true values that go with every note. */

export const LANGUAGES = ["de", "en", "fr", "it", "es", "nl", "pt", "da", "sv"] as const;
export type Language = (typeof LANGUAGES)[number];

export const KINDS = [
  "buy",
  "sell",
  "fx",
  "bond",
  "fraction",
  "savings-plan",
  "pence",
  "statement",
  "two-trades",
  "cancellation",
  "amendment",
  "dividend",
  "tax",
  "account-statement",
  "newsletter",
] as const;
export type Kind = (typeof KINDS)[number];

/** How the file is made hard to read; the words on it stay the same. */
export type Variant = "plain" | "rotated" | "scanned" | "encrypted";

/** What may mislead a careless reader. */
export const TRAPS = ["closing-price", "ambiguous-date", "balance", "fx-legs"] as const;
export type Trap = (typeof TRAPS)[number];

export type DocumentType =
  | "contract-note"
  | "statement"
  | "cancellation"
  | "amendment"
  | "dividend"
  | "tax"
  | "account-statement"
  | "other";

/** In points, from the top left of the page as it is displayed. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where a value is printed, and how. `page` counts from 1. */
export interface Source {
  page: number;
  box: Box;
  text: string;
}

export type Field =
  | "direction"
  | "tradeDate"
  | "tradeTime"
  | "settlementDate"
  | "name"
  | "isin"
  | "localId"
  | "ticker"
  | "quantity"
  | "price"
  | "priceCurrency"
  | "forexGross"
  | "fxRate"
  | "accruedInterest"
  | "gross"
  | "fees"
  | "taxes"
  | "net"
  | "currency"
  | "reference"
  | "account";

/**
 * Amounts are positive. `gross`, `fees`, `taxes` and `net` are in `currency`, the currency of the account.
 */
export interface TradeTruth {
  direction: "BUY" | "SELL";
  /** YYYY-MM-DD */
  tradeDate: string;
  settlementDate: string | null;
  name: string;
  isin: string;
  /** The number that the broker's market uses: WKN, Valor, SEDOL, CUSIP or the broker's own code. */
  localId: string | null;
  ticker: string | null;
  /** Nominal for a bond quoted in percent. */
  quantity: number;
  /** Percent for a bond, pence if `priceCurrency` is GBX. */
  price: number;
  priceCurrency: string;
  isPercentQuoted: boolean;
  /** Gross in the security's currency, if that is not the account's. */
  forexGross: number | null;
  /** As printed; the reader must work out in which direction it converts. */
  fxRate: number | null;
  accruedInterest: number | null;
  gross: number;
  fees: number;
  taxes: number;
  net: number;
  currency: string;
  reference: string;
  account: string;
  isCancelled: boolean;
  /** The reference of the note that this one cancels or replaces. */
  refersTo: string | null;
  sources: Partial<Record<Field, Source>>;
}

export interface NoteTruth {
  documentType: DocumentType;
  trades: TradeTruth[];
}

export interface NoteRequest {
  seed: string | number;
  skin?: string;
  language?: Language;
  kind?: Kind;
  variant?: Variant;
  traps?: readonly Trap[];
  /** YYYY-MM-DD; drawn from the seed if absent. A statement's trades start on this day. */
  tradeDate?: string;
  client?: string;
  account?: string;
  /** A word of the security's name, or its ISIN; drawn from the seed if absent. */
  security?: string;
  /** For a cancellation or amendment: the reference of the note that it refers to. */
  refersTo?: string;
  /** How many trades a statement lists. */
  trades?: number;
  /** Overrides the note's reference; the trade stays the one that the seed gives. Simulates a second fill of one order. */
  reference?: string;
}

export interface Note {
  pdf: Buffer;
  fileName: string;
  /** The printed text, one line per baseline, with one space for each gap; a form feed separates pages. */
  text: string;
  skin: string;
  language: Language;
  kind: Kind;
  variant: Variant;
  /** Opens an encrypted note; null otherwise. */
  password: string | null;
  truth: NoteTruth;
}
