import type { Reading } from "../../documents/reading.ts";
import { type Candidate, candidateOf, cents, type Document } from "./candidate.ts";
import { correctProbability, tradeProbability } from "./confidence.ts";
import { voteByWords } from "./direction.ts";
import { voteKinds } from "./document-type.ts";
import { findFacts } from "./facts.ts";
import { linesOf } from "./lines.ts";
import { segmentsOf } from "./segments.ts";
import { valuesOf } from "./values.ts";

export function documentOf(reading: Reading): Document {
  const lines = linesOf(reading);
  return {
    lines,
    values: valuesOf(lines),
    kinds: voteKinds(lines),
    words: voteByWords(lines, lines.length),
  };
}

export function candidatesOf(document: Document): Candidate[] {
  const segments = segmentsOf(document.lines, findFacts(document.values.amounts));
  const many = segments
    .map((segment) => candidateOf(document, segment))
    .filter((found) => found !== null);
  const unique = new Map(many.map((candidate) => [keyOf(candidate), candidate]));
  if (unique.size >= 2) return [...unique.values()];
  const one = candidateOf(document, null);
  return one ? [one] : [];
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

/** Weight from which a word of cancellation is a heading and not small print. */
const CANCELLED = 2;

export function predict(text: string, all = false): { trades: unknown[] } {
  const document = documentOf({ pages: [], text });
  const trades = candidatesOf(document)
    .filter(
      (candidate) =>
        candidate.buy + candidate.sell > 0.3 && (all || tradeProbability(candidate.features) > 0.5),
    )
    .map((candidate) => {
      const net = candidate.assignment.net!.value;
      const sign = candidate.direction === "BUY" ? -1 : 1;
      const { security } = candidate;
      return {
        direction: candidate.direction,
        date: candidate.days.trade?.iso,
        isin: security.isin?.text,
        wkn: (security.wkn ?? security.valor ?? security.cusip ?? security.sedol)?.text,
        ticker: security.ticker?.text,
        shares: candidate.assignment.quantity!.value,
        amount: net,
        gross: cents(net + sign * (candidate.fees + candidate.taxes)),
        fees: candidate.fees,
        taxes: candidate.taxes,
        currency: candidate.currency,
        why: {
          product: candidate.assignment.product,
          sum: candidate.assignment.sum,
          from: candidate.from,
          to: candidate.to,
        },
        features: candidate.features,
        cancelled: candidate.features.cancelled! >= CANCELLED,
        p: correctProbability(candidate.features),
      };
    });
  return { trades };
}
