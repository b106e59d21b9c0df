/** Does a confidence of 90 % come true 90 times of 100, and what does a threshold cost? Rows of printed tables. */
import type { JudgedTrade } from "./judge.ts";

const EDGES = [0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0001];
const THRESHOLDS = [0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995];

export function reliabilityOf(judged: readonly JudgedTrade[]): string[][] {
  const rows: string[][] = [];
  for (let i = 0; i + 1 < EDGES.length; i++) {
    const inside = judged.filter(
      (trade) => trade.confidence >= EDGES[i]! && trade.confidence < EDGES[i + 1]!,
    );
    if (inside.length === 0) continue;
    const said = inside.reduce((sum, trade) => sum + trade.confidence, 0) / inside.length;
    rows.push([
      `${percent(EDGES[i]!)} to ${percent(Math.min(1, EDGES[i + 1]!))}`,
      String(inside.length),
      percent(said),
      percent(rightShare(inside)),
    ]);
  }
  return rows;
}

export function curveOf(judged: readonly JudgedTrade[]): string[][] {
  return THRESHOLDS.map((threshold) => {
    const kept = judged.filter((trade) => trade.confidence >= threshold);
    return [
      percent(threshold),
      percent(kept.length / Math.max(1, judged.length)),
      percent(rightShare(kept)),
    ];
  });
}

function rightShare(trades: readonly JudgedTrade[]): number {
  if (trades.length === 0) return 1;
  return trades.filter((trade) => trade.isRight).length / trades.length;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
