/**
 * Explains in words how the extractor decided: the candidates, the chosen assignment, and by how much others
 * lost.
 */

import type { Reading } from "../reading/reading.ts";
import { assemble } from "./answer/assemble.ts";
import type { Assignment } from "./arithmetic/solve.ts";
import { candidatesOf, documentOf } from "./extract-trades.ts";
import type { Candidate } from "./judgement/candidate.ts";
import { tradeProbability } from "./judgement/confidence.ts";
import type { ParsedText } from "./judgement/parsed-text.ts";
import { tradesAmong } from "./judgement/verdict.ts";
import type { Amount } from "./values/amount.ts";

export function explainExtraction(reading: Reading): string {
  const document = documentOf(reading);
  const out = [explainKinds(document)];
  const candidates = candidatesOf(document);
  if (candidates.length === 0) out.push("no quantity and net were found together: no trade");
  const trades = tradesAmong(candidates, document.weighing.trade);
  for (const candidate of candidates) out.push(explainCandidate(document, candidate, trades));
  return out.join("\n");
}

function explainKinds(document: ParsedText): string {
  const named = Object.entries(document.kinds)
    .filter(([, vote]) => vote.score > 0)
    .sort((a, b) => b[1].score - a[1].score)
    .map(([kind, vote]) => `${kind} ${vote.score.toFixed(1)} ("${vote.phrase}")`);
  return `kinds: ${named.join(", ") || "none named"}`;
}

function explainCandidate(
  document: ParsedText,
  candidate: Candidate,
  trades: readonly Candidate[],
): string {
  const { assignment, others, from, to } = candidate;
  const trade = assemble(document, candidate, trades);
  const verdict = trades.includes(candidate) ? "a trade" : "not a trade";
  const lines = [
    "",
    `lines ${from + 1} to ${to}: ${verdict} (${(tradeProbability(candidate.features, document.weighing.trade) * 100).toFixed(1)} %), core fields right: ${(trade.confidence * 100).toFixed(1)} %`,
    `  direction ${trade.direction}: buy ${candidate.buy.toFixed(1)}, sell ${candidate.sell.toFixed(1)}`,
    `  day ${trade.tradeDate ?? "none"}: ${candidate.days.tradeScore.toFixed(1)}, next ${Number.isFinite(candidate.days.runnerUp) ? candidate.days.runnerUp.toFixed(1) : "none"}`,
    `  security ${
      Object.entries(trade.security)
        .map(([name, value]) => `${name} ${value}`)
        .join(", ") || "none"
    }`,
    ...explainAssignment("chosen", assignment, null),
  ];
  for (const other of others.slice(0, 3))
    lines.push(...explainAssignment("lost", other, assignment));
  for (const reason of trade.reasons) lines.push(`  because ${reason}`);
  return lines.join("\n");
}

function explainAssignment(
  name: string,
  assignment: Assignment,
  winner: Assignment | null,
): string[] {
  const behind = winner ? `, ${(winner.score - assignment.score).toFixed(2)} behind` : "";
  const charges = (assignment.charges?.charges ?? []).map(
    (charge) => `${charge.kind} ${charge.value.toFixed(2)}`,
  );
  return [
    `  ${name} with ${assignment.score.toFixed(2)}${behind}: product ${assignment.product.toFixed(2)}, sum ${assignment.sum.toFixed(2)}`,
    `    quantity ${amountText(assignment.quantity)} x price ${amountText(assignment.price)} = gross ${amountText(assignment.gross)}`,
    `    ${charges.join(", ") || "no charges"} -> net ${amountText(assignment.net)}${assignment.rate ? ` at rate ${amountText(assignment.rate)}` : ""}`,
  ];
}

function amountText(amount: Amount | null): string {
  if (!amount) return "none";
  return `${amount.value}${amount.currency ? ` ${amount.currency}` : ""} (line ${amount.line + 1}${amount.label ? `, "${amount.label}"` : ""})`;
}
