/**
 * Reads the trades of a document of any bank: lines, typed values with the evidence of their labels,
 * one block for each trade, and in each block the assignment that the arithmetic supports best.
 * Pure: the same reading gives the same answer.
 */
import type { Reading } from "../../documents/reading.ts";
import { assemble } from "./assemble.ts";
import { type Candidate, candidateOf, type Document } from "./candidate.ts";
import { tradeProbability } from "./confidence.ts";
import { voteByWords } from "./direction.ts";
import { nameKind, voteKinds } from "./document-type.ts";
import type { Extraction } from "./extraction.ts";
import { findFacts } from "./facts.ts";
import { isVetoed } from "./features.ts";
import { ranksOf } from "./furniture.ts";
import { linesOf } from "./lines.ts";
import { sectionsOf } from "./sections.ts";
import { segmentsOf } from "./segments.ts";
import { valuesOf } from "./values.ts";

/** From this probability on a candidate is a trade, */
export const TRADE = 0.55;
/** where no heading says bought or sold, from this one, */
const TRADE_UNTOLD = 0.85;
/** and from this one where neither a price nor a day of trade is called so: dividends add up as well. */
const TRADE_UNLABELLED = 0.95;

export function extractTrades(reading: Reading): Extraction {
  const document = documentOf(reading);
  const all = candidatesOf(document);
  const candidates = all.filter(isTrade);
  const trades = candidates.map((candidate) => assemble(document, candidate, candidates));
  const kind = nameKind(document.kinds, trades.length);
  const confidence = trades.length === 0 ? 1 : Math.min(...trades.map((trade) => trade.confidence));
  return {
    ...kind,
    trades,
    isNearTrade: trades.length === 0 && all.some(isLikely),
    confidence,
    reasons: [kind.documentTypeReason, ...new Set(trades.flatMap((trade) => trade.reasons))],
  };
}

/** A reading of plain text: lines without positions. */
export function readingOfText(text: string): Reading {
  return { pages: [], text };
}

export function documentOf(reading: Reading): Document {
  const lines = linesOf(reading);
  return {
    lines,
    values: valuesOf(lines),
    kinds: voteKinds(lines),
    sections: sectionsOf(lines),
    words: voteByWords(lines, lines.length),
  };
}

export function candidatesOf(document: Document): Candidate[] {
  const segments = segmentsOf(
    document.lines,
    findFacts(document.lines, document.values.amounts, ranksOf(document.lines)),
  );
  const many = segments
    .map((segment) => candidateOf(document, segment))
    .filter((found) => found !== null)
    .filter((found) => !isVetoed(document, found));
  const unique = new Map(many.map((candidate) => [keyOf(candidate), candidate]));
  if (unique.size >= 2) return [...unique.values()];
  const one = candidateOf(document, null);
  return one && !isVetoed(document, one) ? [one] : [];
}

function isLikely({ features }: Candidate): boolean {
  return tradeProbability(features) > TRADE;
}

export function isTrade({ features }: Candidate): boolean {
  const { directionTop = 0, priceLabel = 0, tradeDate = 0 } = features;
  const isUnlabelled = priceLabel < 0.4 && tradeDate < 0.3;
  const from = isUnlabelled ? TRADE_UNLABELLED : directionTop < 1.5 ? TRADE_UNTOLD : TRADE;
  return tradeProbability(features) > from;
}

function keyOf(candidate: Candidate): string {
  const { assignment, days, security, direction } = candidate;
  return [
    direction,
    days.trade?.iso,
    security.isin?.text,
    assignment.quantity?.value,
    assignment.net?.value,
  ].join("|");
}
