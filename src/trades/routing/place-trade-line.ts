/**
 * Decides where a trade line belongs: to a known trade, to a new one, or into the review queue. A resent note, a
 * forwarded note and the month's statement all report one trade; two fills of the same size at the same price are
 * two trades. If the rules cannot tell, a person is asked: nothing is merged on a guess.
 */
import { canonicalNumber } from "../canonical-number.ts";
import type { DocumentKind } from "../document-content.ts";
import type { TradeIdentity } from "../fingerprint.ts";
import { canonicalCode } from "../fingerprint.ts";
import type { TradeFacts } from "../trade.ts";
import type { KnownTrade } from "../trade-table.ts";

export interface LineToPlace {
  readonly facts: TradeFacts;
  readonly identity: TradeIdentity;
  /** The key of `refersTo`; null if the trade line refers to no other trade. */
  readonly refersToKey: string | null;
  readonly kind: DocumentKind;
  /** Hash of all words of the document. */
  readonly textHash: string;
}

export type Placement =
  | { readonly kind: "new"; readonly why: string }
  | { readonly kind: "same"; readonly tradeId: string; readonly why: string }
  | { readonly kind: "cancels"; readonly tradeId: string; readonly why: string }
  | { readonly kind: "amends"; readonly tradeId: string; readonly why: string }
  | { readonly kind: "ask"; readonly candidates: readonly string[]; readonly why: string };

/**
 * `known` holds every trade with the same reference, with the reference that the line names, or with the same
 * date, direction and quantity. `taken` holds the trades of earlier lines of the same document: one line, one trade.
 */
export function placeTradeLine(
  line: LineToPlace,
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

function placeCancellation(line: LineToPlace, known: readonly KnownTrade[]): Placement {
  const targets = findReferredTo(line, known);
  const named = describeReference(line);
  if (targets.length === 1) {
    return { kind: "cancels", tradeId: targets[0]!.id, why: `cancels the trade ${named}` };
  }
  const why =
    targets.length === 0
      ? `the trade ${named}, which it cancels, is not known`
      : `cancels one of ${targets.length} trades ${named}`;
  return { kind: "ask", candidates: targets.map((trade) => trade.id), why };
}

function placeAmendment(line: LineToPlace, known: readonly KnownTrade[]): Placement {
  const repeated = known.find(
    (trade) =>
      trade.status === "confirmed" &&
      trade.referenceKey === line.identity.referenceKey &&
      compareEconomics(line.facts, trade.facts) === "same",
  );
  if (repeated !== undefined) {
    return { kind: "same", tradeId: repeated.id, why: "the amendment is booked already" };
  }
  const targets = findReferredTo(line, known).filter((trade) => trade.status === "confirmed");
  if (targets.length === 1) {
    return {
      kind: "amends",
      tradeId: targets[0]!.id,
      why: `replaces the trade ${describeReference(line)}`,
    };
  }
  const why =
    targets.length === 0 ? "the trade that it replaces is not known" : "replaces one of several";
  return { kind: "ask", candidates: targets.map((trade) => trade.id), why };
}

const describeReference = ({ facts }: LineToPlace): string =>
  facts.refersTo !== null
    ? `with reference ${facts.refersTo}`
    : facts.reference !== null
      ? `with reference ${facts.reference} or these figures`
      : "with these figures";

/** The trade that the line names; only a line that names none is compared by its own reference and figures. */
function findReferredTo(line: LineToPlace, known: readonly KnownTrade[]): KnownTrade[] {
  const key = line.refersToKey ?? line.identity.referenceKey;
  const found = known.filter((trade) => key !== null && trade.referenceKey === key);
  if (found.length > 0 || line.refersToKey !== null) return found;
  return known.filter((trade) => compareEconomics(line.facts, trade.facts) === "same");
}

function placeByReference(line: LineToPlace, candidates: readonly KnownTrade[]): Placement {
  const same = candidates.find((trade) => compareEconomics(line.facts, trade.facts) === "same");
  if (same !== undefined) {
    return { kind: "same", tradeId: same.id, why: `reference ${line.facts.reference} is booked` };
  }
  // One document may list several fills under one order number. Its earlier lines have already taken their
  // trades, so these candidates come from other documents.
  return {
    kind: "ask",
    candidates: candidates.map((trade) => trade.id),
    why: `reference ${line.facts.reference} is booked with other figures`,
  };
}

function placeByEconomics(line: LineToPlace, free: readonly KnownTrade[]): Placement {
  const unclear: KnownTrade[] = [];
  for (const trade of free) {
    const likeness = compareEconomics(line.facts, trade.facts);
    if (likeness === "different" || isOtherFill(line, trade)) continue;
    if (likeness === "same" && isRepeat(line, trade)) {
      return { kind: "same", tradeId: trade.id, why: describeRepeat(line, trade) };
    }
    unclear.push(trade);
  }
  if (unclear.length === 0) return { kind: "new", why: "no such trade is known" };
  return {
    kind: "ask",
    candidates: unclear.map((trade) => trade.id),
    why: "the same figures are booked from another document: the same trade, or a second fill?",
  };
}

/** Different times of day, or different references in the same kind of document, mean two fills. */
function isOtherFill(line: LineToPlace, trade: KnownTrade): boolean {
  const [ours, theirs] = [line.facts, trade.facts];
  if (differs(minuteOf(ours.tradeTime), minuteOf(theirs.tradeTime))) return true;
  const hasTwoReferences = differs(line.identity.referenceKey, trade.referenceKey);
  return hasTwoReferences && trade.seenIn.some((document) => document.kind === line.kind);
}

/** True for the same text again, for a note and the statement that lists it, and for two statements. */
function isRepeat(line: LineToPlace, trade: KnownTrade): boolean {
  if (trade.seenIn.some((document) => document.textHash === line.textHash)) return true;
  const hasTwoReferences = line.identity.referenceKey !== null && trade.referenceKey !== null;
  if (hasTwoReferences) return false;
  return line.kind === "statement" || trade.seenIn.every((seen) => seen.kind === "statement");
}

function describeRepeat(line: LineToPlace, trade: KnownTrade): string {
  return trade.seenIn.some((document) => document.textHash === line.textHash)
    ? "the same document was seen before"
    : "a note and a statement report the same trade";
}

export type Likeness = "same" | "different" | "unclear";

/** Compares only the facts that both documents give. Without a common identifier the result is at best unclear. */
export function compareEconomics(one: TradeFacts, other: TradeFacts): Likeness {
  if (one.direction !== other.direction || one.tradeDate !== other.tradeDate) return "different";
  if (!isSameAmount(one.quantity, other.quantity)) return "different";
  if (differs(codeOf(one.account), codeOf(other.account))) return "different";
  const security = compareSecurity(one, other);
  if (security === "different") return "different";
  if (one.price !== null && other.price !== null && one.priceCurrency === other.priceCurrency) {
    return isSameAmount(one.price, other.price) ? security : "different";
  }
  const amounts: [number | null, number | null][] = [
    [one.gross, other.gross],
    [one.net, other.net],
  ];
  const known = amounts.filter(([ours, theirs]) => ours !== null && theirs !== null);
  if (known.some(([ours, theirs]) => isSameAmount(ours, theirs))) return security;
  return known.length > 0 && one.currency === other.currency ? "different" : "unclear";
}

export function compareSecurity(one: TradeFacts, other: TradeFacts): Likeness {
  const kinds = ["isin", "sedol", "cusip", "wkn", "valor", "ticker"] as const;
  const known = kinds.filter((kind) => one[kind] !== null && other[kind] !== null);
  if (known.length === 0) return "unclear";
  return known.some((kind) => codeOf(one[kind]) === codeOf(other[kind])) ? "same" : "different";
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
