/**
 * Where a line of a document belongs: to a trade that is known already, to none, or to a person's desk.
 * A resent note, a forwarded one and the month's statement tell of one trade; two fills of the same size
 * at the same price are two. What cannot be told apart is asked, never merged.
 */
import { canonicalNumber } from "./canonical-number.ts";
import type { TradeIdentity } from "./fingerprint.ts";
import { canonicalCode } from "./fingerprint.ts";
import type { TradeFacts } from "./trade.ts";

/** A note tells of the trades of one order; a statement lists those of a period once more. */
export type DocumentKind = "note" | "statement";

export function kindOfDocument(documentType: string | null): DocumentKind {
  return documentType?.endsWith("statement") ? "statement" : "note";
}

export interface Line {
  readonly facts: TradeFacts;
  readonly identity: TradeIdentity;
  /** The key of `refersTo`; null when it refers to nothing. */
  readonly refersToKey: string | null;
  readonly kind: DocumentKind;
  /** The hash of the words of the whole document. */
  readonly textHash: string;
}

export interface KnownTrade {
  readonly id: string;
  readonly status: "confirmed" | "cancelled" | "amended" | "withdrawn";
  readonly referenceKey: string | null;
  readonly facts: TradeFacts;
  /** The documents that tell of it. */
  readonly seenIn: readonly { kind: DocumentKind; textHash: string }[];
}

export type Placement =
  | { readonly kind: "new"; readonly why: string }
  | { readonly kind: "same"; readonly tradeId: string; readonly why: string }
  | { readonly kind: "cancels"; readonly tradeId: string; readonly why: string }
  | { readonly kind: "amends"; readonly tradeId: string; readonly why: string }
  | { readonly kind: "ask"; readonly candidates: readonly string[]; readonly why: string };

/**
 * `known` holds every trade that shares the reference, the reference referred to, or date, direction and
 * quantity. `taken` are those that an earlier line of the same document stands for: one line, one trade.
 */
export function placeLine(
  line: Line,
  known: readonly KnownTrade[],
  taken: ReadonlySet<string>,
): Placement {
  if (line.facts.isCancelled) return placeCancellation(line, known);
  if (line.facts.isAmendment || line.refersToKey !== null) return placeAmendment(line, known);
  const free = known.filter((trade) => !taken.has(trade.id));
  const sameReference = free.filter(
    (trade) => trade.referenceKey !== null && trade.referenceKey === line.identity.referenceKey,
  );
  const ofSameAccount = sameReference.filter(
    (trade) => !differs(codeOf(trade.facts.account), codeOf(line.facts.account)),
  );
  if (ofSameAccount.length > 0) return placeByReference(line, ofSameAccount);
  return placeByEconomics(line, free);
}

function placeCancellation(line: Line, known: readonly KnownTrade[]): Placement {
  const target = findReferredTo(line, known);
  if (target.length === 1) {
    return { kind: "cancels", tradeId: target[0]!.id, why: "cancels the trade of this reference" };
  }
  const why = target.length === 0 ? "no trade is known that it cancels" : "cancels one of several";
  return { kind: "ask", candidates: target.map((trade) => trade.id), why };
}

function placeAmendment(line: Line, known: readonly KnownTrade[]): Placement {
  const repeated = known.find(
    (trade) =>
      trade.status === "confirmed" &&
      trade.referenceKey === line.identity.referenceKey &&
      compareEconomics(line.facts, trade.facts) === "same",
  );
  if (repeated !== undefined) {
    return { kind: "same", tradeId: repeated.id, why: "the amendment is booked already" };
  }
  const target = findReferredTo(line, known).filter((trade) => trade.status === "confirmed");
  if (target.length === 1) {
    return { kind: "amends", tradeId: target[0]!.id, why: "replaces the trade of this reference" };
  }
  const why =
    target.length === 0 ? "no trade is known that it replaces" : "replaces one of several";
  return { kind: "ask", candidates: target.map((trade) => trade.id), why };
}

/** The reference that is spoken of, else our own, else the same figures. */
function findReferredTo(line: Line, known: readonly KnownTrade[]): KnownTrade[] {
  const keys = [line.refersToKey, line.identity.referenceKey];
  for (const key of keys) {
    const found = known.filter((trade) => key !== null && trade.referenceKey === key);
    if (found.length > 0) return found;
  }
  if (line.refersToKey !== null) return [];
  return known.filter((trade) => compareEconomics(line.facts, trade.facts) === "same");
}

function placeByReference(line: Line, candidates: readonly KnownTrade[]): Placement {
  const same = candidates.find((trade) => compareEconomics(line.facts, trade.facts) === "same");
  if (same !== undefined) {
    return { kind: "same", tradeId: same.id, why: `reference ${line.facts.reference} is booked` };
  }
  // Several fills under one order number stand in one document; its own earlier lines are taken, so
  // whatever is left here came in another one.
  return {
    kind: "ask",
    candidates: candidates.map((trade) => trade.id),
    why: `reference ${line.facts.reference} is booked with other figures`,
  };
}

function placeByEconomics(line: Line, free: readonly KnownTrade[]): Placement {
  const unclear: KnownTrade[] = [];
  for (const trade of free) {
    const likeness = compareEconomics(line.facts, trade.facts);
    if (likeness === "different" || isOtherFill(line, trade)) continue;
    if (likeness === "same" && isRetelling(line, trade)) {
      return { kind: "same", tradeId: trade.id, why: retellingOf(line, trade) };
    }
    unclear.push(trade);
  }
  if (unclear.length === 0) return { kind: "new", why: "no such trade was known" };
  return {
    kind: "ask",
    candidates: unclear.map((trade) => trade.id),
    why: "the same figures are booked from another document: the same trade, or a second fill?",
  };
}

/** Two references of one kind of document, or two times of day, are two fills. */
function isOtherFill(line: Line, trade: KnownTrade): boolean {
  const [ours, theirs] = [line.facts, trade.facts];
  if (differs(minuteOf(ours.tradeTime), minuteOf(theirs.tradeTime))) return true;
  const hasTwoReferences =
    line.identity.referenceKey !== null &&
    trade.referenceKey !== null &&
    line.identity.referenceKey !== trade.referenceKey;
  return hasTwoReferences && trade.seenIn.some((document) => document.kind === line.kind);
}

/** The same words again, or a note and the statement that lists it, or two statements. */
function isRetelling(line: Line, trade: KnownTrade): boolean {
  if (trade.seenIn.some((document) => document.textHash === line.textHash)) return true;
  const hasTwoReferences = line.identity.referenceKey !== null && trade.referenceKey !== null;
  if (hasTwoReferences) return false;
  return line.kind === "statement" || trade.seenIn.every((seen) => seen.kind === "statement");
}

function retellingOf(line: Line, trade: KnownTrade): string {
  return trade.seenIn.some((document) => document.textHash === line.textHash)
    ? "the same document was seen before"
    : "a note and a statement tell of the same trade";
}

export type Likeness = "same" | "different" | "unclear";

/** Compares what both documents say; what only one says decides nothing but the security. */
export function compareEconomics(a: TradeFacts, b: TradeFacts): Likeness {
  if (a.direction !== b.direction || a.tradeDate !== b.tradeDate) return "different";
  if (!isSameAmount(a.quantity, b.quantity)) return "different";
  if (differs(codeOf(a.account), codeOf(b.account))) return "different";
  const security = compareSecurity(a, b);
  if (security === "different") return "different";
  if (a.price !== null && b.price !== null && a.priceCurrency === b.priceCurrency) {
    return isSameAmount(a.price, b.price) ? security : "different";
  }
  const money: [number | null, number | null][] = [
    [a.gross, b.gross],
    [a.net, b.net],
  ];
  const known = money.filter(([one, two]) => one !== null && two !== null);
  if (known.some(([one, two]) => isSameAmount(one, two))) return security;
  return known.length > 0 && a.currency === b.currency ? "different" : "unclear";
}

export function compareSecurity(a: TradeFacts, b: TradeFacts): Likeness {
  const kinds = ["isin", "sedol", "cusip", "wkn", "valor", "ticker"] as const;
  const known = kinds.filter((kind) => a[kind] !== null && b[kind] !== null);
  if (known.length === 0) return "unclear";
  return known.some((kind) => codeOf(a[kind]) === codeOf(b[kind])) ? "same" : "different";
}

function isSameAmount(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && canonicalNumber(a) === canonicalNumber(b);
}

function differs(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b;
}

function codeOf(text: string | null): string | null {
  return text === null ? null : canonicalCode(text);
}

function minuteOf(time: string | null): string | null {
  return time === null ? null : time.slice(0, 5);
}
