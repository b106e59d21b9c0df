/** Says in words why a trade is believed or doubted. */

import type { Candidate } from "../judgement/candidate.ts";
import { isIsin } from "../text/identifiers.ts";
import { NAMED, SURE } from "../values/clue-strength.ts";
import { CANCELLED } from "../values/direction.ts";
import type { FieldName } from "./extraction.ts";

export function reasonsOf(candidate: Candidate, ungrounded: readonly FieldName[]): string[] {
  const { assignment, features, security, days } = candidate;
  const out: string[] = [];
  if (assignment.product >= SURE) out.push("quantity times price gives the gross");
  else if (assignment.product > 0)
    out.push("quantity times price gives the gross only within rounding");
  else out.push("quantity times price does not give the gross");
  if (assignment.sum >= SURE) out.push("gross and charges give the net");
  else if (assignment.sum > 0) out.push("the net is taken as the gross");
  else out.push("gross and charges do not give the net");
  if (assignment.rate) out.push("converted with a printed rate");
  if (!security.isin)
    out.push(features["code"] ? "the security has no ISIN" : "the security is not identified");
  else if (!isIsin(security.isin.text)) out.push("the check digit of the ISIN is wrong");
  if (!days.trade) out.push("no trade date is printed");
  else if ((days.trade.clues.tradeDate ?? 0) < NAMED)
    out.push("the trade date is not labelled as such");
  if (features["directionNone"]) out.push("no word names the direction");
  if ((features["cancelled"] ?? 0) >= CANCELLED) out.push("the document cancels a trade");
  for (const field of ungrounded) out.push(`${field} is not printed where it was read`);
  return out;
}
