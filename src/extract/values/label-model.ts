/**
 * Guesses what a number may be from parts of the words around it. The lexicon does not know the words of a
 * new bank, but groups of letters carry over: "Abrechnungskurs" and "Kurswert" share theirs with known words.
 * The model is linear and therefore takes microseconds: every feature is hashed into one of a few thousand
 * rows of weights.
 */
import { hasDirection, type TextLine } from "../layout/text-line.ts";
import type { DateToken } from "../text/dates.ts";
import type { NumberToken } from "../text/numbers.ts";
import { LABEL_WEIGHTS } from "./label-weights.ts";

export const ROLES = [
  "quantity",
  "price",
  "gross",
  "net",
  "fee",
  "tax",
  "fx",
  "tradeDate",
  "settleDate",
  "other",
] as const;
export type Role = (typeof ROLES)[number];

const BUCKET_BITS = 14;
export const BUCKETS = 1 << BUCKET_BITS;

export interface LabelModel {
  /** One row of weights per bucket, one column per role. */
  readonly weights: Float32Array;
}

/** Decodes the weights that ship with the package: bytes that share one scale. */
function decode({ scale, data }: { scale: number; data: string }): LabelModel {
  const bytes = Buffer.from(data, "base64");
  const weights = new Float32Array(BUCKETS * ROLES.length);
  for (let i = 0; i < bytes.length; i++) weights[i] = bytes.readInt8(i) * scale;
  return { weights };
}

const SHIPPED_LABELS = decode(LABEL_WEIGHTS);

let active = SHIPPED_LABELS;

export function activeLabelModel(): LabelModel {
  return active;
}

/**
 * Only for measurements: the model must not know the bank that it is measured on. Null restores the shipped
 * model.
 */
export function useLabelModel(model: LabelModel | null): void {
  active = model ?? SHIPPED_LABELS;
}

/** Number of letters used on each side; a label is rarely longer. */
const LEFT_MAX = 36;
const RIGHT_MAX = 14;
const ABOVE_MAX = 48;

/** Probabilities in the order of the roles. */
export function rolesOf(model: LabelModel, features: readonly number[]): Float64Array {
  const width = ROLES.length;
  const sums = new Float64Array(width);
  const { weights } = model;
  for (let i = 0; i < features.length; i++) {
    const row = features[i]! * width;
    for (let k = 0; k < width; k++) sums[k]! += weights[row + k]!;
  }
  return softmax(sums);
}

function softmax(sums: Float64Array): Float64Array {
  const top = Math.max(...sums);
  let total = 0;
  for (let k = 0; k < sums.length; k++) {
    sums[k] = Math.exp(sums[k]! - top);
    total += sums[k]!;
  }
  for (let k = 0; k < sums.length; k++) sums[k]! /= total;
  return sums;
}

export function numberFeatures(
  line: TextLine,
  token: NumberToken,
  currency: string | null,
  above: TextLine | null,
): number[] {
  const out: number[] = [];
  const before = line.numbers.findLast((other) => other.end <= token.start);
  const after = line.numbers.find((other) => other.start >= token.end);
  const left = plain(line.folded.slice(before?.end ?? 0, token.start)).slice(-LEFT_MAX);
  const right = plain(line.folded.slice(token.end, after?.start)).slice(0, RIGHT_MAX);
  addText(out, "l", left);
  addText(out, "r", right);
  if (before)
    addText(out, "b", plain(line.folded.slice(0, line.numbers[0]!.start)).slice(0, LEFT_MAX));
  if (!/[a-z]{3}/.test(left) && above && !above.numbers.some((other) => other.hasDecimals))
    addText(out, "a", plain(above.folded).slice(0, ABOVE_MAX));
  addShape(out, line, token, currency);
  return out;
}

/** Dates have features of their own: the words that name them name nothing else. */
export function dayFeatures(line: TextLine, date: DateToken, above: TextLine | null): number[] {
  const out: number[] = [];
  const place = line.dates.indexOf(date);
  const before = line.dates[place - 1];
  const left = plain(line.folded.slice(before?.end ?? 0, date.start)).slice(-LEFT_MAX);
  addText(out, "dl", left);
  addText(
    out,
    "dr",
    plain(line.folded.slice(date.end, line.dates[place + 1]?.start)).slice(0, RIGHT_MAX),
  );
  if (before)
    addText(out, "db", plain(line.folded.slice(0, line.dates[0]!.start)).slice(0, LEFT_MAX));
  if (!/[a-z]{3}/.test(left) && above && above.dates.length === 0)
    addText(out, "da", plain(above.folded).slice(0, ABOVE_MAX));
  const shape = [
    `t${line.times.length > 0 ? 1 : 0}`,
    `n${Math.min(3, line.dates.length)}:${Math.min(2, place)}`,
    `m${line.numbers.some((token) => token.hasDecimals) ? 1 : 0}`,
    `v${hasDirection(line) ? 1 : 0}`,
    `w${Math.min(4, line.words.length >> 2)}`,
  ];
  for (const part of shape) out.push(hash("d#", part, 0, part.length));
  return out;
}

/** Features of a label's text alone, as listed in the lexicon. */
export function phraseFeatures(phrase: string, isOfDay: boolean): number[] {
  const out: number[] = [];
  addText(out, isOfDay ? "dl" : "l", plain(phrase));
  return out;
}

function addShape(
  out: number[],
  line: TextLine,
  token: NumberToken,
  currency: string | null,
): void {
  const { decimals } = token.readings[0]!;
  const place = line.numbers.indexOf(token);
  const shape = [
    `d${Math.min(6, decimals)}`,
    `c${currency ? 1 : 0}`,
    `p${token.isPercent ? 1 : 0}`,
    `s${token.isNegative ? "-" : token.isPositive ? "+" : ""}`,
    `n${Math.min(4, line.numbers.length)}:${Math.min(3, place)}`,
    `e${place === line.numbers.length - 1 ? 1 : 0}`,
    `g${Math.min(7, token.digits)}:${Math.min(6, decimals)}`,
  ];
  for (const part of shape) out.push(hash("#", part, 0, part.length));
}

/** Keeps letters and single spaces; digits and signs say nothing about a label. */
function plain(text: string): string {
  return text.replace(/[^a-z]+/g, " ").trim();
}

function addText(out: number[], space: string, text: string): void {
  if (text === "") {
    out.push(hash(space, "", 0, 0));
    return;
  }
  addGrams(out, space, ` ${text} `);
  const words = text.split(" ");
  for (const word of words) out.push(hash(`${space}w`, word, 0, word.length));
  for (let i = 0; i + 1 < words.length; i++) {
    const pair = `${words[i]} ${words[i + 1]}`;
    out.push(hash(`${space}w`, pair, 0, pair.length));
  }
  const last = words.at(-1)!;
  out.push(hash(`${space}z`, last, 0, last.length));
}

/** All groups of three, then four, then five characters; the hash of a longer group continues that of a shorter one. */
function addGrams(out: number[], space: string, text: string): void {
  const seed = seedOf(space);
  const first = out.length;
  const threes = Math.max(0, text.length - 2);
  const fours = Math.max(0, text.length - 3);
  const fives = Math.max(0, text.length - 4);
  out.length += threes + fours + fives;
  for (let at = 0; at < threes; at++) {
    let value = step(step(step(seed, text, at), text, at + 1), text, at + 2);
    out[first + at] = bucketOf(value);
    if (at >= fours) continue;
    value = step(value, text, at + 3);
    out[first + threes + at] = bucketOf(value);
    if (at < fives) out[first + threes + fours + at] = bucketOf(step(value, text, at + 4));
  }
}

/** FNV-1a over the characters, folded into the buckets. */
function hash(space: string, text: string, from: number, to: number): number {
  let value = seedOf(space);
  for (let i = from; i < to; i++) value = step(value, text, i);
  return bucketOf(value);
}

function seedOf(space: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < space.length; i++) value = step(value, space, i);
  return Math.imul(value ^ 0x7c, 0x01000193);
}

function step(value: number, text: string, at: number): number {
  return Math.imul(value ^ text.charCodeAt(at), 0x01000193);
}

function bucketOf(value: number): number {
  return ((value >>> BUCKET_BITS) ^ value) & (BUCKETS - 1);
}
