/**
 * Extracts the trades from a document of any bank: lines, typed values with clues from their labels, one
 * block per trade and, in each block, the assignment that the arithmetic supports best. Pure: the same
 * reading gives the same answer.
 */

import type { Reading } from "../reading/reading.ts";
import { assemble } from "./answer/assemble.ts";
import type { ExtractedTrade, Extraction } from "./answer/extraction.ts";
import { nameKind } from "./answer/name-kind.ts";
import { findFacts } from "./blocks/facts.ts";
import { segmentsOf } from "./blocks/segments.ts";
import type { Candidate, Features } from "./judgement/candidate.ts";
import { certaintyOf } from "./judgement/certainty.ts";
import { isVetoed } from "./judgement/features.ts";
import { candidateOf } from "./judgement/find-candidate.ts";
import type { ParsedText } from "./judgement/parsed-text.ts";
import { isLikely, isTrade, tradesAmong } from "./judgement/verdict.ts";
import { SHIPPED, type Weighing } from "./judgement/weighing.ts";
import { isAbout, voteKinds } from "./layout/document-kind.ts";
import { ranksOf } from "./layout/furniture.ts";
import { linesOf } from "./layout/lines.ts";
import { sectionsOf } from "./layout/sections.ts";
import { directedShareOf, FOOT, voteByWords } from "./values/direction.ts";
import { valuesOf } from "./values/values.ts";

export function extractTrades(reading: Reading, weighing: Weighing = SHIPPED): Extraction {
  const document = documentOf(reading, weighing);
  return judgeCandidates(document, possibleTrades(document));
}

/** Decides which of the possible trades are trades, with the weighing of the document. */
export function judgeCandidates(document: ParsedText, possible: PossibleTrades): Extraction {
  const { weighing } = document;
  const all = candidatesAmong(document, possible);
  const candidates = tradesAmong(all, weighing.trade);
  const trades = together(candidates.map((candidate) => assemble(document, candidate, candidates)));
  const kind = nameKind(document.kinds, trades.length);
  const confidence = trades.length === 0 ? 1 : Math.min(...trades.map((trade) => trade.confidence));
  return {
    ...kind,
    trades,
    isNearTrade: trades.length === 0 && all.some((one) => isLikely(one, weighing.trade)),
    confidence,
    reasons: [kind.documentTypeReason, ...new Set(trades.flatMap((trade) => trade.reasons))],
  };
}

/** The evidence for and against each of the trades that `judgeCandidates` returns, in their order. */
export function evidenceOf(document: ParsedText, possible: PossibleTrades): Features[] {
  const trades = tradesAmong(candidatesAmong(document, possible), document.weighing.trade);
  return trades.map((candidate) => certaintyOf(document, candidate, trades));
}

/** If one row is in doubt, the document may be cut wrongly, and then its other rows are wrong too. */
function together(trades: ExtractedTrade[]): ExtractedTrade[] {
  // What is cancelled is decided by a person, and the other rows stand without it.
  if (trades.every(({ canAutoConfirm, isCancellation }) => canAutoConfirm || isCancellation))
    return trades;
  return trades.map((trade) =>
    trade.canAutoConfirm
      ? {
          ...trade,
          canAutoConfirm: false,
          reasons: [...trade.reasons, "another trade of the document is in doubt"],
        }
      : trade,
  );
}

/** Makes a reading of plain text: lines without positions. */
export function readingOfText(text: string): Reading {
  return { pages: [], text };
}

export function documentOf(reading: Reading, weighing: Weighing = SHIPPED): ParsedText {
  const lines = linesOf(reading);
  return {
    weighing,
    lines,
    values: valuesOf(lines),
    kinds: voteKinds(lines),
    sections: sectionsOf(lines),
    words: voteByWords(lines, lines.length * FOOT),
    directedShare: directedShareOf(lines),
  };
}

/** The rows or blocks of a document, and the document as one trade. */
export interface PossibleTrades {
  /** Several trades, or a single row, which may be a trade among other rows of an account. */
  parts: Candidate[];
  whole: Candidate | null;
}

export function possibleTrades(document: ParsedText): PossibleTrades {
  const segments = segmentsOf(
    document.lines,
    document.sections,
    findFacts(document.lines, document.values.amounts, ranksOf(document.lines)),
  );
  const parts = segments
    .map((segment) => candidateOf(document, segment))
    .filter((found) => found !== null)
    .filter((found) => !isVetoed(document, found));
  const unique = [
    ...new Map(parts.map((candidate) => [keyOf(candidate), candidate] as const)).values(),
  ];
  if (unique.length >= 2) return { parts: unique, whole: null };
  const one = segments[0]?.isBesideIncome ? null : candidateOf(document, null);
  const whole = one && !isVetoed(document, one) ? one : null;
  return { parts: segments.length === 1 ? parts : [], whole };
}

export function candidatesOf(document: ParsedText): Candidate[] {
  return candidatesAmong(document, possibleTrades(document));
}

/** The only trade in a list of account rows consists of its row; a contract note is more than one row. */
export function candidatesAmong(
  document: ParsedText,
  { parts, whole }: PossibleTrades,
): Candidate[] {
  if (parts.length >= 2) return parts;
  const isTaken = (one: Candidate) => isTrade(one, document.weighing.trade);
  const isRow = parts.some(isTaken) && !(whole && isTaken(whole));
  if (isRow && !isAbout(document.kinds, "tax")) return parts;
  return whole ? [whole] : [];
}

function keyOf(candidate: Candidate): string {
  const { assignment, days, security, direction } = candidate;
  return [
    direction,
    days.trade?.iso,
    days.trade?.time,
    security.isin?.text,
    assignment.quantity?.value,
    assignment.net?.value,
  ].join("|");
}
