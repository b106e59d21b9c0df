/** Counts judged documents: how many are exact, and in how many a trade was found that is not one. */
import type { JudgedDocument } from "./truth/judge.ts";

export interface Tally {
  withTrades: number;
  coreExact: number;
  fullExact: number;
  withoutTrades: number;
  falseTrades: number;
  /** Cash statements may print trades for which the bank also sends notes; they are counted separately. */
  statements: number;
  falseStatements: number;
  known: number;
  read: number;
  confirmed: number;
  confirmedRight: number;
  /** Documents with several trades, and those of them that are exact in the core. */
  several: number;
  severalExact: number;
  /** Documents with a confirmed trade, and those of them with a wrong one. */
  confirmedIn: number;
  wrongIn: number;
}

export interface JudgedRow {
  judged: JudgedDocument;
  family?: string | undefined;
  language?: string | undefined;
  doc_class?: string | undefined;
}

export function tallyOf(rows: readonly JudgedRow[]): Tally {
  const isStatement = (row: JudgedRow) => row.doc_class === "account_statement";
  const withTrades = rows.filter(({ judged }) => judged.known > 0);
  const without = rows.filter(({ judged }) => judged.known === 0);
  const others = without.filter((row) => !isStatement(row));
  const statements = without.filter(isStatement);
  const isFalse = ({ judged }: JudgedRow) => judged.trades.length > 0;
  const trades = rows.flatMap(({ judged }) => judged.trades);
  const confirmed = trades.filter((trade) => trade.isConfirmed);
  return {
    withTrades: withTrades.length,
    coreExact: withTrades.filter(({ judged }) => judged.isCoreExact).length,
    fullExact: withTrades.filter(({ judged }) => judged.isFullExact).length,
    withoutTrades: others.length,
    falseTrades: others.filter(isFalse).length,
    statements: statements.length,
    falseStatements: statements.filter(isFalse).length,
    known: withTrades.reduce((sum, { judged }) => sum + judged.known, 0),
    read: trades.length,
    confirmed: confirmed.length,
    confirmedRight: confirmed.filter((trade) => trade.isRight).length,
    several: withTrades.filter(({ judged }) => judged.known > 1).length,
    severalExact: withTrades.filter(({ judged }) => judged.known > 1 && judged.isCoreExact).length,
    confirmedIn: rows.filter(({ judged }) => judged.trades.some((trade) => trade.isConfirmed))
      .length,
    wrongIn: rows.filter(({ judged }) =>
      judged.trades.some((trade) => trade.isConfirmed && !trade.isRight),
    ).length,
  };
}

export const TALLY_HEADS = [
  "",
  "documents",
  "core",
  "full",
  "several",
  "false",
  "on statements",
  "trades",
  "confirmed",
  "right",
];

export function tallyCells(name: string, rows: readonly JudgedRow[]): string[] {
  const tally = tallyOf(rows);
  return [
    name,
    String(rows.length),
    share(tally.coreExact, tally.withTrades),
    share(tally.fullExact, tally.withTrades),
    share(tally.severalExact, tally.several),
    share(tally.falseTrades, tally.withoutTrades),
    share(tally.falseStatements, tally.statements),
    String(tally.known),
    share(tally.confirmedRight, tally.known),
    share(tally.confirmedRight, tally.confirmed),
  ];
}

type Group = readonly [name: string, rows: readonly JudgedRow[]];

/** Every fold counts the same. */
export function meanCells(folds: readonly Group[]): string[] {
  return summary("mean of folds", folds, (shares) => sum(shares) / shares.length);
}

/** The lowest value of each column where high is better, the highest where low is better. */
export function worstCells(folds: readonly Group[]): string[] {
  return summary("worst fold", folds, (shares, isBetterHigh) =>
    isBetterHigh ? Math.min(...shares) : Math.max(...shares),
  );
}

/** Every family counts the same: a bank with a hundred documents counts as one bank. */
export function familyCells(rows: readonly JudgedRow[]): string[] {
  const families = new Map<string, JudgedRow[]>();
  for (const row of rows) {
    const family = row.family ?? "";
    families.set(family, [...(families.get(family) ?? []), row]);
  }
  return summary("mean of families", [...families], (shares) => sum(shares) / shares.length);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function summary(
  name: string,
  groups: readonly Group[],
  of: (shares: readonly number[], isBetterHigh: boolean) => number,
): string[] {
  const tallies = groups.map(([, rows]) => tallyOf(rows));
  const cell = (part: keyof Tally, whole: keyof Tally, { isBetterHigh = true } = {}) => {
    const shares = tallies.filter((tally) => tally[whole] > 0).map((one) => one[part] / one[whole]);
    return shares.length === 0 ? "–" : share(of(shares, isBetterHigh), 1);
  };
  return [
    name,
    "",
    cell("coreExact", "withTrades"),
    cell("fullExact", "withTrades"),
    cell("severalExact", "several"),
    cell("falseTrades", "withoutTrades", { isBetterHigh: false }),
    cell("falseStatements", "statements", { isBetterHigh: false }),
    "",
    cell("confirmedRight", "known"),
    cell("confirmedRight", "confirmed"),
  ];
}

export function share(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}
