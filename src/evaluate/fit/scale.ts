/** Maps the odds from a product of models to the odds observed on families left out of the fit. */
import type { FitRow } from "./fit-rows.ts";

/** Knots of an increasing line: predicted odds and observed odds. */
export type Scale = (readonly [number, number])[];

const KNOTS = 12;

interface Bin {
  odds: number;
  right: number;
  weight: number;
}

/** Every family counts the same; bins that would make the line fall are merged with their neighbours. */
export function fitScale(rows: readonly FitRow[], odds: readonly number[]): Scale {
  const perFamily = new Map<string, number>();
  for (const { family } of rows) perFamily.set(family, (perFamily.get(family) ?? 0) + 1);
  const all = rows
    .map((row, i) => ({
      odds: odds[i]!,
      isRight: row.isRight,
      // Keeps a family of three documents from weighing like a tenth of all banks.
      weight: 1 / Math.max(20, perFamily.get(row.family)!),
    }))
    .sort((a, b) => a.odds - b.odds);
  const total = all.reduce((sum, one) => sum + one.weight, 0);
  const unit = rows.length / total;
  const bins: Bin[] = [];
  let bin: Bin = { odds: 0, right: 0, weight: 0 };
  for (const one of all) {
    const weight = one.weight * unit;
    bin.odds += one.odds * weight;
    bin.right += one.isRight ? weight : 0;
    bin.weight += weight;
    if (bin.weight < rows.length / KNOTS && one !== all.at(-1)) continue;
    bins.push(bin);
    bin = { odds: 0, right: 0, weight: 0 };
  }
  return rising(bins).map((one) => {
    const share = shareOf(one);
    return [round(one.odds / one.weight), round(Math.log(share / (1 - share)))] as const;
  });
}

/** Half a right and half a wrong one are added: a small bin without a wrong one proves less than a large one. */
function shareOf({ right, weight }: Bin): number {
  return (right + 0.5) / (weight + 1);
}

function rising(bins: readonly Bin[]): Bin[] {
  const out: Bin[] = [];
  for (const bin of bins) {
    let last = bin;
    while (out.length > 0 && shareOf(out.at(-1)!) >= shareOf(last)) {
      const before = out.pop()!;
      last = {
        odds: before.odds + last.odds,
        right: before.right + last.right,
        weight: before.weight + last.weight,
      };
    }
    out.push(last);
  }
  return out;
}

const round = (value: number) => Math.round(value * 1e3) / 1e3;
