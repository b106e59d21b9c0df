/** Fits the label model to documents whose trades are known, and to the lexicon. */

import { readingOfText } from "../../extract/extract-trades.ts";
import { linesOf } from "../../extract/layout/lines.ts";
import type { TextLine } from "../../extract/layout/text-line.ts";
import { LABELS } from "../../extract/lexicon/labels.ts";
import { currencyAt } from "../../extract/values/amount.ts";
import {
  BUCKETS,
  dayFeatures,
  type LabelModel,
  numberFeatures,
  phraseFeatures,
  ROLES,
  type Role,
  rolesOf,
} from "../../extract/values/label-model.ts";
import type { CorpusRow } from "../truth/corpus.ts";
import type { TruthTrade } from "../truth/judge.ts";

interface Example {
  features: number[];
  role: number;
  weight: number;
}

const EPOCHS = 6;
const RATE = 0.35;
const DECAY = 2e-6;

/** `isKnown` selects the lexicon entries to fit on. */
export function fitLabels(
  rows: readonly CorpusRow[],
  isKnown: (phrase: string) => boolean = () => true,
): LabelModel {
  const examples = [...rows.filter(hasTrades).flatMap(examplesOf), ...lexiconExamples(isKnown)];
  return { weights: descend(examples) };
}

function hasTrades({ transactions }: CorpusRow): boolean {
  return (transactions ?? []).some(
    ({ type, status }) => (type === "BUY" || type === "SELL") && !status,
  );
}

/** AdaGrad over shuffled examples; the shuffle is always the same. */
function descend(examples: Example[]): Float32Array {
  const width = ROLES.length;
  const weights = new Float32Array(BUCKETS * width);
  const squares = new Float32Array(BUCKETS * width).fill(1e-3);
  const order = examples.map((_, i) => i);
  let seed = 12_345;
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let i = order.length - 1; i > 0; i--) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      const k = seed % (i + 1);
      [order[i], order[k]] = [order[k]!, order[i]!];
    }
    for (const index of order) learn(examples[index]!, weights, squares);
  }
  return weights;
}

function learn(
  { features, role, weight }: Example,
  weights: Float32Array,
  squares: Float32Array,
): void {
  const width = ROLES.length;
  const said = rolesOf({ weights }, features);
  const rate = RATE / Math.sqrt(features.length);
  for (let k = 0; k < width; k++) {
    const miss = (said[k]! - (k === role ? 1 : 0)) * weight;
    if (Math.abs(miss) < 1e-4) continue;
    for (let i = 0; i < features.length; i++) {
      const at = features[i]! * width + k;
      const slope = miss + DECAY * weights[at]!;
      squares[at]! += slope * slope;
      weights[at]! -= (rate * slope) / Math.sqrt(squares[at]!);
    }
  }
}

const CONCEPT_ROLES: Readonly<Record<string, Role>> = {
  quantity: "quantity",
  price: "price",
  gross: "gross",
  net: "net",
  debit: "net",
  credit: "net",
  fee: "fee",
  tax: "tax",
  fx: "fx",
  noise: "other",
  account: "other",
  reference: "other",
  tradeDate: "tradeDate",
  settleDate: "settleDate",
  docDate: "other",
};
const OF_DAYS = new Set(["tradeDate", "settleDate", "docDate"]);

function lexiconExamples(isKnown: (phrase: string) => boolean): Example[] {
  return Object.entries(LABELS).flatMap(([concept, words]) => {
    const role = CONCEPT_ROLES[concept];
    if (!role) return [];
    return Object.values(words.strong)
      .flatMap((list) => list.split(",").map((phrase) => phrase.trim()))
      .filter(isKnown)
      .map((phrase) => ({
        features: phraseFeatures(phrase.replaceAll("*", ""), OF_DAYS.has(concept)),
        role: ROLES.indexOf(role),
        weight: 0.5,
      }));
  });
}

export function examplesOf(row: CorpusRow): Example[] {
  const trades = (row.transactions ?? []).filter(
    ({ type, status }) => (type === "BUY" || type === "SELL") && !status,
  );
  const lines = linesOf(readingOfText(row.text));
  const found = lines.flatMap((line) => lineExamples(line, lines[line.index - 1] ?? null, trades));
  // Keeps a long statement from counting like a hundred banks.
  const weight = Math.min(1, 12 / Math.max(1, found.length));
  return found.map((one) => ({ ...one, weight: one.weight * weight }));
}

function lineExamples(
  line: TextLine,
  above: TextLine | null,
  trades: readonly TruthTrade[],
): Example[] {
  const out: Example[] = [];
  for (const token of line.numbers) {
    if (token.digits > 9 && !token.hasDecimals) continue;
    const currency = currencyAt(line, token);
    const values = token.readings.map((reading) => reading.value);
    const role = roleOf(values, trades, line, token.start);
    if (role === null) continue;
    out.push({
      features: numberFeatures(line, token, currency, above),
      role: ROLES.indexOf(role),
      weight: role === "other" ? 0.5 : 1,
    });
  }
  for (const date of line.dates) {
    const role = dayRole(date, trades, line);
    if (role !== null)
      out.push({ features: dayFeatures(line, date, above), role: ROLES.indexOf(role), weight: 1 });
  }
  return out;
}

function dayRole(
  { iso, alternative, start }: TextLine["dates"][number],
  trades: readonly TruthTrade[],
  line: TextLine,
): Role | null {
  const label = line.labels.findLast((one) => one.end <= start);
  const says = (concept: string) =>
    label?.value.some((hit) => hit.concept === concept && hit.strength === 1) ?? false;
  const isTrade = trades.some(({ date }) => date && (date === iso || date === alternative));
  // The date of the letter or of payment may equal the trade date by chance.
  if (isTrade) return says("settleDate") || says("docDate") ? null : "tradeDate";
  return says("settleDate") ? "settleDate" : "other";
}

const CHARGE_CONCEPTS = new Set(["fee", "tax", "interest", "fx", "subtotal", "price"]);

function roleOf(
  values: readonly number[],
  trades: readonly TruthTrade[],
  line: TextLine,
  start: number,
): Role | null {
  const is = (want: number | null | undefined, slack = 0.0051) =>
    typeof want === "number" &&
    want !== 0 &&
    values.some((value) => Math.abs(value - Math.abs(want)) < slack);
  for (const { shares, shares_alt, amount, gross, forex_gross, fees, taxes } of trades) {
    if (is(shares, 1e-6) || is(shares_alt, 1e-6)) return shares === 1 ? null : "quantity";
    if (is(amount)) return is(gross) && amount === gross ? "net" : "net";
    if (is(gross) || is(forex_gross)) return "gross";
    const base = forex_gross ?? gross;
    if (
      shares &&
      base &&
      values.some((value) => Math.abs(value * shares - base) < 0.0006 * base && value !== 1)
    )
      return "price";
    if (is(fees)) return "fee";
    if (is(taxes)) return "tax";
  }
  // What the lexicon calls a charge may be only a part of it: the known trades contain only sums.
  const label = line.labels.findLast((one) => one.end <= start);
  if (trades.length > 0 && label?.value.some((hit) => CHARGE_CONCEPTS.has(hit.concept))) {
    const hit = label.value.find(({ concept }) => CHARGE_CONCEPTS.has(concept))!;
    return hit.strength === 1 &&
      (hit.concept === "fee" || hit.concept === "tax" || hit.concept === "fx")
      ? (hit.concept as Role)
      : null;
  }
  return "other";
}
