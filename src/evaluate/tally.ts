/** Counts of judged documents: how many are exact, how many got a trade that is none. */
import type { JudgedDocument } from "./judge.ts";

export interface Tally {
  withTrades: number;
  coreExact: number;
  fullExact: number;
  withoutTrades: number;
  falseTrades: number;
  /** Cash statements may print trades that the bank sends notes for; they are counted apart. */
  statements: number;
  falseStatements: number;
  known: number;
  read: number;
  confirmed: number;
  confirmedRight: number;
}

export interface JudgedRow {
  judged: JudgedDocument;
  language?: string;
  doc_class?: string;
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
  };
}

export const TALLY_HEADS = [
  "",
  "documents",
  "core",
  "full",
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
    share(tally.falseTrades, tally.withoutTrades),
    share(tally.falseStatements, tally.statements),
    String(tally.read),
    share(tally.confirmed, tally.read),
    share(tally.confirmedRight, tally.confirmed),
  ];
}

export function share(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}
