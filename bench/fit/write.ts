/** The fitted numbers as source files. */
import type { Fitted } from "./logistic.ts";
import type { Scale } from "./scale.ts";

const HOW = `Made by \`node --import tsx bench/fit/main.ts\`, not by hand. Fitted on the families of real documents that may
 * be looked at, from opinions whose signs stay.`;

/** A fitted number may happen to look like a constant of mathematics. */
const IGNORE =
  "// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.";

export function tradeFile(trade: Fitted): string {
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

export interface FittedConfidence {
  booked: Fitted;
  fields: Readonly<Record<string, Fitted>>;
  scale: Scale;
  autoConfirm: number;
  /** What families left out gave at that threshold. */
  found: string;
}

export function confidenceFile(fitted: FittedConfidence): string {
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
    `/** Confidence from which a trade needs no person: ${fitted.found}. */`,
    `export const AUTO_CONFIRM = ${fitted.autoConfirm};`,
    "",
  ].join("\n");
}

function object(fitted: Fitted, indent = ""): string {
  const lines = Object.entries(fitted).map(
    ([name, weight]) => `${indent}  ${name}: ${round(weight)},`,
  );
  return `{\n${lines.join("\n")}\n${indent}}`;
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
