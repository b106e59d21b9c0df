/** Turns evidence into probabilities with the fitted weights. */

import { BESIDE, NAMED, PLAIN } from "../values/clue-strength.ts";
import type { Features } from "./candidate.ts";
import type { Weights } from "./trade-weights.ts";
import type { Weighing } from "./weighing.ts";

/** Two dates compete for the trade date; three would count 1. */
const TWO_DAYS = 0.5;
/** Weight of a cancellation word in a sentence; small print weighs less. */
const CANCEL_SAID = 0.8;

export interface Confidence {
  /** Probability that direction, trade date, security, quantity, currency and net are all right. */
  trade: number;
  /** Probability that the value of one field is right; null if the field has no fitted model. */
  field(name: string): number | null;
}

/** Probability that the candidate is a trade and not a dividend, a tax page or a holding. */
export function tradeProbability(features: Features, weights: Weights): number {
  let sum = weights["bias"] ?? 0;
  for (const [name, weight] of Object.entries(weights))
    if (name !== "bias") sum += weight * (features[name] ?? 0);
  return logistic(sum);
}

const CORE = ["direction", "date", "security", "shares", "currency", "amount"] as const;

/**
 * Each field has its own model that sees only the evidence relevant to it. A trade is right if it is a trade
 * and all its core fields are right; the scale corrects the error of multiplying these probabilities.
 */
export function confidenceOf(certainty: Features, weighing: Weighing): Confidence {
  const booked = logistic(weigh(weighing.booked, certainty));
  const fields = new Map<string, number>();
  for (const [name, weights] of Object.entries(weighing.fields))
    fields.set(name, logistic(weigh(weights, certainty)));
  const together = CORE.reduce((product, name) => product * (fields.get(name) ?? 1), booked);
  const trade = logistic(scaled(weighing.scale, together) - mistrust(certainty));
  return {
    trade,
    field: (name) => {
      const own = fields.get(name);
      // A field's confidence is never below the trade's.
      return own === undefined ? null : Math.max(trade, booked * own);
    },
  };
}

function scaled(scale: Weighing["scale"], together: number): number {
  const kept = Math.min(1 - 1e-9, Math.max(1e-9, together));
  return along(scale, Math.log(kept / (1 - kept)));
}

/** Log odds that each doubt costs, counting at most two of them; */
const PER_DOUBT = 1.5;
const DOUBTS_MAX = 2;
/** and, if there is a doubt, what values without a label cost. */
const PER_UNSAID = 2;

/**
 * The scale was fitted on banks that the rules were written for. An unknown bank prints what no rule expects,
 * and a doubt is justified more often there, so it costs more than the fit can show.
 */
function mistrust(certainty: Features): number {
  const doubts = Math.min(DOUBTS_MAX, doubtsOf(certainty).length);
  return doubts === 0 ? 0 : PER_DOUBT * doubts + PER_UNSAID * (certainty["unsaid"] ?? 0);
}

/**
 * Slope beyond the outermost knots of the scale, where no data was seen: higher odds there count for little
 * more.
 */
const BEYOND = 0.1;

/** Interpolates linearly between the knots. */
export function along(
  scale: readonly (readonly [said: number, found: number])[],
  odds: number,
): number {
  const first = scale[0]!;
  const last = scale.at(-1)!;
  if (odds <= first[0]) return first[1] + BEYOND * (odds - first[0]);
  if (odds >= last[0]) return last[1] + BEYOND * (odds - last[0]);
  const at = scale.findIndex(([said]) => said > odds);
  const [left, right] = [scale[at - 1]!, scale[at]!];
  return left[1] + ((odds - left[0]) * (right[1] - left[1])) / (right[0] - left[0]);
}

/** Each of these alone prevents booking without a person, however likely the rest makes the trade. */
const DOUBTS: readonly (readonly [name: string, from: number, words: string])[] = [
  ["directionNone", 1, "no word names the direction"],
  ["directionTied", 1, "purchase and sale are both named"],
  ["moneyAgainst", 1, "the words and the booking name opposite directions"],
  ["signAlone", 1, "units were added or removed, and no word says that they were traded"],
  ["dayDoubted", 1, "several dates are printed, and none is labelled as the trade date"],
  ["dayRivals", TWO_DAYS, "two dates are called the trade date"],
  ["dayOrdered", 1, "the date may be that of the order, and a later one that of the trade"],
  ["dayTorn", 1, "the trade date is printed with gaps"],
  ["dayOpen", 1, "day and month could be the other way round"],
  ["codeNone", 1, "the security is not identified"],
  ["codeTicker", 1, "the security has a ticker only"],
  ["codeElsewhere", 1, "the security is named outside the trade"],
  ["codeRivals", 1, "several securities are named"],
  ["rolesOpen", 1, "quantity and price could be the other way round"],
  ["quantityMoney", 1, "the quantity is printed with a currency"],
  ["productFails", 1, "quantity times price does not give the gross"],
  ["sumFails", 1, "gross and charges do not give the net"],
  ["sumDoubted", 1, "gross and charges miss the net by a cent"],
  ["chargesUnused", 1, "charges are printed that the net does not include"],
  ["grossHidden", 1, "the gross is not printed, and charges do not explain the net"],
  ["taxPending", NAMED, "the net is before taxes, and taxes are printed"],
  ["netStray", 1, "the net is printed far below the other numbers, and its label is unknown"],
  ["netOutsaid", 1, "words call another amount the net, and not the chosen one"],
  ["unitsTwice", 1, "another trade of the document has the same units at another net"],
  ["foreignNet", PLAIN, "another currency has its own net amount"],
  ["rateLeft", 1, "a rate is printed, but nothing was converted with it"],
  ["currencyNone", 1, "no currency is printed"],
  ["cancelSaid", CANCEL_SAID, "the document speaks of a cancellation"],
  ["reinvested", 1, "income was reinvested, and its taxes are on the same page"],
  ["openNear", 1, "an amount like the net is printed that nothing explains"],
  ["openCloses", 1, "amounts that nothing explains lead to another total"],
  ["rowsLeft", 1, "another row looks like a trade, but was not read"],
  ["modelNetRival", BESIDE, "another amount is labelled like the net"],
  ["modelNetAgainst", 1, "another amount looks more like the net"],
  ["modelDayAgainst", 1, "another date looks more like the trade date"],
];

/** Doubts about numbers that do not add up or that nothing explains; a second reader's agreement does not remove them. */
const OF_ARITHMETIC: ReadonlySet<string> = new Set([
  "rolesOpen",
  "quantityMoney",
  "productFails",
  "sumFails",
  "sumDoubted",
  "chargesUnused",
  "grossHidden",
  "taxPending",
  "foreignNet",
  "rateLeft",
  "openNear",
  "openCloses",
  "rowsLeft",
]);

export function failsArithmetic(certainty: Features): boolean {
  return DOUBTS.some(([name, from]) => OF_ARITHMETIC.has(name) && (certainty[name] ?? 0) >= from);
}

export function doubtsOf(certainty: Features): string[] {
  return DOUBTS.filter(([name, from]) => (certainty[name] ?? 0) >= from).map(
    ([, , words]) => words,
  );
}

/** Above these log odds, further evidence of the same kind counts little. */
const ENOUGH = 6;
const LITTLE = 0.15;

/**
 * Log odds in which no amount of agreement outweighs a doubt: evidence in favour counts only up to a limit,
 * evidence against counts in full.
 */
export function weigh(weights: Weights, features: Features): number {
  let speaksFor = 0;
  let against = 0;
  for (const [name, weight] of Object.entries(weights)) {
    const said = weight * (name === "bias" ? 1 : (features[name] ?? 0));
    if (said > 0 || name === "bias") speaksFor += said;
    else against += said;
  }
  const more = Math.max(0, speaksFor - ENOUGH);
  return speaksFor - more + LITTLE * more + against;
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
