/**
 * Compares predicted trades with known ones, field by field. Trades of a document are paired greedily, best
 * agreement first; a prediction paired with a trade whose known values are incomplete is not judged.
 */
import type { PredictedTrade, PredictionRow } from "../../extract/answer/prediction.ts";

export interface TruthTrade {
  type: string;
  status?: string | null;
  date?: string | null;
  isin?: string | null;
  wkn?: string | null;
  ticker?: string | null;
  security_known?: boolean;
  isin_candidates?: string[];
  wkn_candidates?: string[];
  ticker_candidates?: string[];
  shares?: number | null;
  /** The printed nominal, for bonds whose known quantity is a hundredth of it. */
  shares_alt?: number | null;
  currency?: string | null;
  amount?: number | null;
  gross?: number | null;
  forex_gross?: number | null;
  fees?: number | null;
  taxes?: number | null;
  /** Further values that a careful reader of the document would accept, by field. */
  also?: Readonly<Record<string, readonly (string | number)[]>>;
  /** Which of its values are printed in the text as they are. */
  printed?: Readonly<Record<string, boolean>>;
}

export interface TruthRow {
  file: string;
  transactions?: TruthTrade[];
}

export const CORE_FIELDS = [
  "direction",
  "date",
  "security",
  "shares",
  "currency",
  "amount",
] as const;
export const JUDGED_FIELDS = [...CORE_FIELDS, "gross", "fees", "taxes"] as const;
export type JudgedField = (typeof JUDGED_FIELDS)[number];

export interface JudgedTrade {
  /** Index among the row's trades. */
  index: number;
  confidence: number;
  isConfirmed: boolean;
  /** True if it pairs with a known trade, however many fields differ. */
  isTrade: boolean;
  /** True if every core field is right. */
  isRight: boolean;
  fields: Readonly<Record<JudgedField, boolean>>;
}

export interface JudgedDocument {
  trades: JudgedTrade[];
  /** Number of known trades. */
  known: number;
  /** True if as many trades were found as are known, all right in the core fields or in all fields. */
  isCoreExact: boolean;
  isFullExact: boolean;
}

type Agreement = Readonly<Record<JudgedField, boolean>>;
const NONE = Object.fromEntries(JUDGED_FIELDS.map((field) => [field, false])) as Agreement;

export function judgeDocument(truth: TruthRow, row: PredictionRow): JudgedDocument {
  const all = (truth.transactions ?? []).filter(({ type }) => type === "BUY" || type === "SELL");
  const known = all.filter((trade) => !trade.status);
  const open = all.filter(({ status }) => status === "skipped" || status === "unsupported");
  const read = row.trades
    .map((trade, index) => ({ trade, index }))
    .filter(({ trade }) => !trade.cancelled);
  const paired = pairUp(known, read);
  const rest = read.filter((entry) => !paired.has(entry));
  const dropped = pairUp(open, rest);
  const trades = read
    .filter((entry) => !dropped.has(entry))
    .map((entry) => judged(entry, paired.get(entry) ?? null));
  const isWhole = paired.size === known.length && trades.length === known.length;
  return {
    trades,
    known: known.length,
    isCoreExact: isWhole && trades.every((trade) => trade.isRight),
    isFullExact: isWhole && trades.every((trade) => JUDGED_FIELDS.every((f) => trade.fields[f])),
  };
}

/**
 * True if all known amounts and quantities are printed; if not, they need arithmetic or contain a mistake.
 */
export function isPrinted(truth: TruthRow): boolean {
  return (truth.transactions ?? [])
    .filter(({ type, status }) => (type === "BUY" || type === "SELL") && !status)
    .every(
      ({ printed, shares_alt: nominal }) =>
        (printed?.["amount"] ?? true) && ((printed?.["shares"] ?? true) || !!nominal),
    );
}

interface Entry {
  trade: PredictedTrade;
  index: number;
}

function judged({ trade, index }: Entry, agreement: Agreement | null): JudgedTrade {
  const fields = agreement ?? NONE;
  return {
    index,
    confidence: trade.trade_confidence,
    isConfirmed: trade.auto_confirm,
    isTrade: agreement !== null,
    isRight: CORE_FIELDS.every((field) => fields[field]),
    fields,
  };
}

const WEIGHTS: readonly (readonly [JudgedField, number])[] = [
  ["shares", 3],
  ["amount", 3],
  ["security", 3],
  ["date", 2],
  ["gross", 1],
  ["direction", 1],
];

/** Pairs the best match first; a pair must agree on a value other than a word or a date. */
function pairUp(known: readonly TruthTrade[], read: readonly Entry[]): Map<Entry, Agreement> {
  const pairs: { truth: number; entry: Entry; agreement: Agreement; score: number }[] = [];
  known.forEach((trade, truth) => {
    for (const entry of read) {
      const agreement = compare(trade, entry.trade);
      const { shares, amount, gross, security } = agreement;
      const isNamed = security && hasSecurity(entry.trade);
      if (!shares && !amount && !gross && !isNamed) continue;
      const score = WEIGHTS.reduce((sum, [field, weight]) => sum + weight * +agreement[field], 0);
      pairs.push({ truth, entry, agreement, score });
    }
  });
  pairs.sort((a, b) => b.score - a.score || a.truth - b.truth || a.entry.index - b.entry.index);
  const taken = new Set<number>();
  const out = new Map<Entry, Agreement>();
  for (const { truth, entry, agreement } of pairs) {
    if (taken.has(truth) || out.has(entry)) continue;
    taken.add(truth);
    out.set(entry, agreement);
  }
  return out;
}

function compare(truth: TruthTrade, trade: PredictedTrade): Agreement {
  const also = alsoRight(truth, trade);
  const first = firstChoice(truth, trade);
  return Object.fromEntries(
    JUDGED_FIELDS.map((field) => [field, first[field] || also.has(field)]),
  ) as Agreement;
}

function alsoRight({ also }: TruthTrade, trade: PredictedTrade): Set<JudgedField> {
  const out = new Set<JudgedField>();
  if (!also) return out;
  const values = (name: string) => also[name] ?? [];
  const isSame = (name: string, value: string | undefined) =>
    value !== undefined && values(name).some((other) => String(other) === value);
  if (isSame("date", trade.date)) out.add("date");
  if (isSame("currency", trade.currency)) out.add("currency");
  for (const name of ["amount", "gross", "fees", "taxes"] as const)
    if (values(name).some((value) => near(Number(value), trade[name]))) out.add(name);
  const shares = values("shares").map((value) => ({ type: "", shares: Math.abs(Number(value)) }));
  if (shares.some((one) => sameShares(one, Math.abs(trade.shares)))) out.add("shares");
  const codes = ["isin", "wkn", "ticker", "security"].flatMap((name) => values(name));
  const own = [trade.isin, trade.wkn, trade.ticker].flatMap((code) => (code ? [plain(code)] : []));
  if (codes.some((code) => own.includes(plain(String(code))))) out.add("security");
  return out;
}

function firstChoice(truth: TruthTrade, trade: PredictedTrade): Agreement {
  return {
    direction: truth.type === trade.direction,
    date: (truth.date ?? null) === (trade.date ?? null),
    security: sameSecurity(truth, trade),
    shares: sameShares(truth, Math.abs(trade.shares)),
    currency: (truth.currency ?? null) === (trade.currency ?? null),
    amount: near(truth.amount, trade.amount),
    gross: near(truth.gross, trade.gross) || near(truth.forex_gross, trade.gross),
    fees: near(truth.fees ?? 0, trade.fees),
    taxes: near(truth.taxes ?? 0, trade.taxes),
  };
}

function hasSecurity(trade: PredictedTrade): boolean {
  return !!(trade.isin || trade.wkn || trade.ticker);
}

function near(want: number | null | undefined, got: number): boolean {
  return typeof want === "number" && Math.abs(Math.abs(want) - Math.abs(got)) <= 0.0101;
}

/** If the known trade does not say which of a document's securities it is, any of them counts. */
function sameSecurity(truth: TruthTrade, trade: PredictedTrade): boolean {
  const isKnown = truth.security_known ?? true;
  const one = (code: string | null | undefined) => (code ? [plain(code)] : []);
  const isins = isKnown ? one(truth.isin) : (truth.isin_candidates ?? []).map(plain);
  const wkns = isKnown ? one(truth.wkn) : (truth.wkn_candidates ?? []).map(plain);
  const tickers = isKnown ? one(truth.ticker) : (truth.ticker_candidates ?? []).map(plain);
  if (isins.length + wkns.length + tickers.length === 0) return true;
  if (isins.length > 0 && trade.isin) return isins.includes(plain(trade.isin));
  return (
    (!!trade.wkn && wkns.includes(plain(trade.wkn))) ||
    (!!trade.ticker && tickers.includes(plain(trade.ticker)))
  );
}

function plain(code: string): string {
  return code
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "")
    .replace(/^0+/, "");
}

/** Fractions printed with at most four decimals are equal within half of the last digit. */
function sameShares(truth: TruthTrade, shares: number): boolean {
  return [truth.shares, truth.shares_alt].some((want) => {
    if (typeof want !== "number") return false;
    const places = want.toFixed(8).replace(/0+$/, "").split(".")[1]!.length;
    const slack = places <= 4 && want % 1 !== 0 ? 5.1e-5 : 0;
    return Math.abs(want - shares) <= Math.max(1e-6 * Math.max(1, want), slack);
  });
}
