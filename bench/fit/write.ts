/** The fitted numbers as source files. */
import type { Weights } from "../../src/extract/judgement/trade-weights.ts";
import type { Weighing } from "../../src/extract/judgement/weighing.ts";
import type { LabelModel } from "../../src/extract/values/label-model.ts";

const HOW = `Made by \`node --import tsx bench/fit/main.ts\`, not by hand. Fitted on real documents, each read with the words
 * that banks of other folds use, from opinions whose signs stay.`;

const INT8_MAX = 127;

/** A fitted number may happen to look like a constant of mathematics. */
const IGNORE =
  "// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.";

export function tradeFile(trade: Weights): string {
  return [
    IGNORE,
    "/**",
    " * That a candidate is a trade at all, from its evidence to log odds.",
    ` * ${HOW}`,
    " */",
    "export type Weights = Readonly<Record<string, number>>;",
    "",
    `export const TRADE_WEIGHTS: Weights = ${object(trade)};`,
    "",
  ].join("\n");
}

export function confidenceFile(fitted: Weighing, found: string): string {
  const fields = Object.entries(fitted.fields).map(
    ([name, one]) => `  ${name}: ${object(one, "  ")},`,
  );
  return [
    IGNORE,
    "/**",
    " * How sure the extractor may be, from the evidence to log odds.",
    ` * ${HOW}`,
    " */",
    'import type { Weights } from "./trade-weights.ts";',
    "",
    "/** That a trade as it was cut out is one. */",
    `export const BOOKED_WEIGHTS: Weights = ${object(fitted.booked)};`,
    "",
    "/** That each field of a trade is right. */",
    `export const FIELD_WEIGHTS: Readonly<Record<string, Weights>> = {\n${fields.join("\n")}\n};`,
    "",
    "/** From the log odds of their product to those that came true. */",
    "export const TRADE_SCALE: readonly (readonly [said: number, found: number])[] = [",
    ...fitted.scale.map(([said, found]) => `  [${said}, ${found}],`),
    "];",
    "",
    `/** Confidence from which a trade needs no person: ${found}. */`,
    `export const AUTO_CONFIRM = ${fitted.autoConfirm};`,
    "",
  ].join("\n");
}

function object(fitted: Weights, indent = ""): string {
  const lines = Object.entries(fitted).map(
    ([name, weight]) => `${indent}  ${name}: ${round(weight)},`,
  );
  return `{\n${lines.join("\n")}\n${indent}}`;
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** Weights as bytes: finer steps than that change no decision. */
export function labelFile({ weights }: LabelModel): string {
  const most = weights.reduce((top, weight) => Math.max(top, Math.abs(weight)), 0);
  const scale = most / INT8_MAX;
  const bytes = Buffer.from(Int8Array.from(weights, (weight) => Math.round(weight / scale)).buffer);
  return [
    "/**",
    " * The model of labels: a row of bytes for each bucket, a column for each role.",
    " * Made by `node --import tsx bench/fit/main.ts`, not by hand.",
    " */",
    "export const LABEL_WEIGHTS = {",
    `  scale: ${scale},`,
    `  data: "${bytes.toString("base64")}",`,
    "};",
    "",
  ].join("\n");
}
