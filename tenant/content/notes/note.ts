/** What the contract-note factory makes, and the truth that goes with every note. */

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

/** What misleads a hasty reader. */
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

/** Points, origin at the top left of the page as it is shown. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where a value stands and how it is printed there. `page` counts from 1. */
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

/** Amounts are positive. `gross`, `fees`, `taxes`, `net` are in `currency`, that of the account. */
export interface TradeTruth {
  direction: "BUY" | "SELL";
  /** YYYY-MM-DD */
  tradeDate: string;
  settlementDate: string | null;
  name: string;
  isin: string;
  /** The number that the broker's market uses: WKN, Valor, SEDOL, CUSIP or a code of its own. */
  localId: string | null;
  ticker: string | null;
  /** Nominal for a bond quoted in percent. */
  quantity: number;
  /** Percent for a bond, pence where `priceCurrency` is GBX. */
  price: number;
  priceCurrency: string;
  isPercentQuoted: boolean;
  /** Gross in the security's currency, where that is not the account's. */
  forexGross: number | null;
  /** As printed; which currency it divides is for the reader to find out. */
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
  /** YYYY-MM-DD; invented from the seed when absent. A statement's trades start on this day. */
  tradeDate?: string;
  client?: string;
  account?: string;
  /** A word of the security's name or its ISIN; invented from the seed when absent. */
  security?: string;
  /** For a cancellation or amendment: the reference it speaks of. */
  refersTo?: string;
  /** How many trades a statement lists. */
  trades?: number;
  /** Keeps the trade of this seed but gives the note this reference: a second fill of one order. */
  reference?: string;
}

export interface Note {
  pdf: Buffer;
  fileName: string;
  /** What is printed, by baseline, one blank per gap; pages are separated by a form feed. */
  text: string;
  skin: string;
  language: Language;
  kind: Kind;
  variant: Variant;
  /** Opens an encrypted note; null otherwise. */
  password: string | null;
  truth: NoteTruth;
}
