/** Adds clues from the label model if the lexicon has none; they are weaker than those of a known word. */
import type { TextLine } from "../layout/text-line.ts";
import type { Concept } from "../lexicon/labels.ts";
import type { Amount, Day } from "./amount.ts";
import { HINTED, NAMED } from "./clue-strength.ts";
import { activeLabelModel, dayFeatures, numberFeatures, ROLES, rolesOf } from "./label-model.ts";

/**
 * Most numbers on a page do not belong to a trade, and the model learnt that; here that share is reduced,
 * because we look for one that does.
 */
const OTHER_SHARE = 0.3;
/** At most as strong as a word that usually means the concept. */
const MOST = 0.75;
/** Nearly every date has a meaning, and the trade date is one of several. */
const DAY_MOST = 0.6;
const DAY_OTHER_SHARE = 1;
/** Anything weaker is a guess. */
const LEAST = HINTED;

export function addModelClues(
  lines: readonly TextLine[],
  amounts: readonly Amount[],
  days: readonly Day[],
): void {
  const model = activeLabelModel();
  for (const amount of amounts) {
    const { token, clues } = amount;
    if (amount.reading > 0 || (token.digits > 9 && !token.hasDecimals)) continue;
    const said = rolesOf(
      model,
      numberFeatures(lines[amount.line]!, token, amount.currency, lines[amount.line - 1] ?? null),
    );
    amount.roles = said;
    if (!isNamed(amount)) give(clues, said);
  }
  for (const day of days) {
    const line = lines[day.line]!;
    const date = line.dates.find(({ start }) => start === day.start);
    if (!date) continue;
    day.roles = rolesOf(model, dayFeatures(line, date, lines[day.line - 1] ?? null));
    // A date alone on its line is as likely to be the date of the letter as any other.
    if (line.folded.trim().length <= date.end - date.start) continue;
    if (!isNamed(day)) give(day.clues, day.roles, DAY_MOST, DAY_OTHER_SHARE);
  }
}

function give(clues: Amount["clues"], said: Float64Array, most = MOST, share = OTHER_SHARE): void {
  const last = ROLES.length - 1;
  const other = said[last]! * share;
  const total = said.reduce((sum, value) => sum + value, 0) - said[last]! + other;
  for (let k = 0; k < last; k++) {
    const strength = (most * said[k]!) / total;
    const concept = ROLES[k] as Concept;
    if (strength > LEAST && strength > (clues[concept] ?? 0)) clues[concept] = strength;
  }
}

function isNamed({ clues }: Amount | Day): boolean {
  return Object.values(clues).some((strength) => (strength ?? 0) >= NAMED);
}
