/** Clues of the model of labels, where the lexicon has none: weaker than a word that is known. */
import type { TextLine } from "../layout/text-line.ts";
import type { Concept } from "../lexicon/labels.ts";
import type { Amount, Day } from "./amount.ts";
import { HINTED, NAMED } from "./clue-strength.ts";
import { activeLabelModel, dayFeatures, numberFeatures, ROLES, rolesOf } from "./label-model.ts";

/** Most numbers of a page are nothing of a trade, and the model has seen that; here one of them is looked for. */
const OTHER_SHARE = 0.3;
/** At most as strong as a word that usually means it. */
const MOST = 0.75;
/** Of days nearly all are something, and the day of trade is one among several. */
const DAY_MOST = 0.6;
const DAY_OTHER_SHARE = 1;
/** Less is a guess. */
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
    // A day alone on its line is the day of the letter as often as any other.
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
