/** Tables that show whether a confidence of 90 % is right 90 times in 100, and what a threshold costs. */

import { share } from "./tally.ts";
import type { JudgedTrade } from "./truth/judge.ts";

const EDGES = [0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0001];
const SHARES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

export const RELIABILITY_HEADS = ["confidence", "trades", "said", "right"];
export const CURVE_HEADS = ["kept", "trades", "from", "right", "at least", "wrong"];

export function reliabilityOf(judged: readonly JudgedTrade[]): string[][] {
  const rows: string[][] = [];
  for (let i = 0; i + 1 < EDGES.length; i++) {
    const inside = judged.filter(
      ({ confidence }) => confidence >= EDGES[i]! && confidence < EDGES[i + 1]!,
    );
    if (inside.length === 0) continue;
    const said = inside.reduce((sum, trade) => sum + trade.confidence, 0);
    rows.push([
      `${share(EDGES[i]!, 1)} to ${share(Math.min(1, EDGES[i + 1]!), 1)}`,
      String(inside.length),
      share(said, inside.length),
      share(inside.filter((trade) => trade.isRight).length, inside.length),
    ]);
  }
  return rows;
}

/** How many are right among the most certain tenth, the most certain two tenths, and so on. */
export function curveOf(judged: readonly JudgedTrade[]): string[][] {
  const sorted = [...judged].sort((a, b) => b.confidence - a.confidence);
  return SHARES.map((part) => {
    const kept = sorted.slice(0, Math.round(part * sorted.length));
    const right = kept.filter((trade) => trade.isRight).length;
    return [
      share(part, 1),
      String(kept.length),
      (kept.at(-1)?.confidence ?? 1).toFixed(4),
      share(right, kept.length),
      kept.length === 0 ? "–" : share(lowerBound(right, kept.length), 1),
      String(kept.length - right),
    ];
  });
}

/** One-sided 95 % confidence. */
const DEVIATIONS = 1.645;

/** Wilson's lower bound: what a small number of documents can prove. */
export function lowerBound(right: number, all: number): number {
  const rate = right / all;
  const square = DEVIATIONS ** 2;
  const middle = rate + square / (2 * all);
  const spread = DEVIATIONS * Math.sqrt((rate * (1 - rate)) / all + square / (4 * all * all));
  return (middle - spread) / (1 + square / all);
}
