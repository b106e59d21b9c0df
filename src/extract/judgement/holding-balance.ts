/**
 * A statement of holdings prints how many units there were, the rows that changed them, and how many there are then.
 * If the rows add up to the change, every one of them was read with the right quantity and direction, and none is
 * missing.
 */
import { within } from "../layout/within.ts";
import type { Amount } from "../values/amount.ts";
import type { Candidate } from "./candidate.ts";
import type { ParsedText } from "./parsed-text.ts";

/** Lines above the first and below the last row on which the holding may be printed; a page may end between them. */
const REACH = 16;
/** Decimals of fund units; whole numbers add up by chance. */
const DECIMALS_MIN = 3;

const balancedBefore = new WeakMap<readonly Candidate[], Set<Candidate>>();

/** True if the rows of the candidate's security lead from one printed holding to the next. */
export function isBalanced(
  document: ParsedText,
  candidate: Candidate,
  siblings: readonly Candidate[],
): boolean {
  const known = balancedBefore.get(siblings) ?? balancedAmong(document, siblings);
  balancedBefore.set(siblings, known);
  return known.has(candidate);
}

function balancedAmong({ values }: ParsedText, siblings: readonly Candidate[]): Set<Candidate> {
  const out = new Set<Candidate>();
  const rows = siblings.filter(({ fact }) => fact !== null).sort((a, b) => a.from - b.from);
  for (let first = 0; first < rows.length; ) {
    let end = first + 1;
    while (end < rows.length && rows[end]!.security.isin?.text === rows[first]!.security.isin?.text)
      end += 1;
    const group = rows.slice(first, end);
    if (leads(values.amounts, group)) for (const row of group) out.add(row);
    first = end;
  }
  return out;
}

function leads(amounts: readonly Amount[], rows: readonly Candidate[]): boolean {
  const places = rows.map(({ assignment }) => assignment.quantity!.line);
  const quantities = rows.map(({ assignment }) => assignment.quantity!);
  const decimals = quantities[0]!.decimals;
  if (decimals < DECIMALS_MIN || quantities.some((one) => one.decimals !== decimals)) return false;
  const change = rows.reduce(
    (sum, { assignment, direction }) =>
      sum + (direction === "BUY" ? 1 : -1) * assignment.quantity!.value,
    0,
  );
  const first = Math.min(...places);
  const last = Math.max(...places);
  const isHolding = ({ decimals: own, token, currency }: Amount) =>
    own === decimals && !currency && !token.isNegative && !token.isPositive && !token.isPercent;
  const before = within(amounts, first - REACH, first).filter(isHolding);
  const after = within(amounts, last + 1, last + 1 + REACH).filter(isHolding);
  const slack = 0.5 * 10 ** -decimals;
  return before.some((from) =>
    after.some((to) => Math.abs(from.value + change - to.value) < slack),
  );
}
