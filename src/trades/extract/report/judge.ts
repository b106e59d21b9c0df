/** Compares predicted trades with known ones, field by field. */
import type { PredictedTrade, PredictionRow } from "../prediction.ts";

export interface TruthTrade {
  type: string;
  status?: string | null;
  date?: string | null;
  isin?: string | null;
  wkn?: string | null;
  ticker?: string | null;
  security_known?: boolean;
  shares?: number | null;
  shares_alt?: number | null;
  currency?: string | null;
  amount?: number | null;
}

export interface TruthRow {
  file: string;
  transactions?: TruthTrade[];
}

export interface JudgedTrade {
  confidence: number;
  isConfirmed: boolean;
  isRight: boolean;
}

/** Trades pair by how much they agree, the best pair first; unpaired predictions are wrong. */
export function judgeRow(truth: TruthRow, row: PredictionRow): JudgedTrade[] {
  const known = (truth.transactions ?? []).filter((trade) => isTrade(trade.type) && !trade.status);
  const read = row.trades.filter((trade) => !trade.cancelled);
  const pairs = read.flatMap((trade) =>
    known.map((candidate) => ({ trade, candidate, score: agreements(candidate, trade) })),
  );
  pairs.sort((a, b) => b.score - a.score);
  const scores = new Map<PredictedTrade, number>();
  const taken = new Set<TruthTrade>();
  for (const { trade, candidate, score } of pairs) {
    if (score < 2 || scores.has(trade) || taken.has(candidate)) continue;
    scores.set(trade, score);
    taken.add(candidate);
  }
  return read.map((trade) => ({
    confidence: trade.trade_confidence,
    isConfirmed: trade.auto_confirm,
    isRight: scores.get(trade) === FIELDS,
  }));
}

const FIELDS = 6;

function isTrade(type: string): boolean {
  return type === "BUY" || type === "SELL";
}

function agreements(truth: TruthTrade, trade: PredictedTrade): number {
  return [
    truth.type === trade.direction,
    !truth.date || truth.date === trade.date,
    sameSecurity(truth, trade),
    sameShares(truth, trade.shares),
    !truth.currency || truth.currency === trade.currency,
    typeof truth.amount === "number" &&
      Math.abs(Math.abs(truth.amount) - Math.abs(trade.amount)) <= 0.0101,
  ].filter(Boolean).length;
}

function sameSecurity(truth: TruthTrade, trade: PredictedTrade): boolean {
  if (truth.security_known === false || (!truth.isin && !truth.wkn && !truth.ticker)) return true;
  if (truth.isin && trade.isin) return truth.isin === trade.isin;
  return same(truth.wkn, trade.wkn) || same(truth.ticker, trade.ticker);
}

function same(a: string | null | undefined, b: string | undefined): boolean {
  return !!a && !!b && a.replace(/^0+/, "") === b.replace(/^0+/, "");
}

function sameShares(truth: TruthTrade, shares: number): boolean {
  return [truth.shares, truth.shares_alt].some(
    (want) =>
      typeof want === "number" &&
      Math.abs(want - shares) <= Math.max(1e-6 * Math.max(1, want), want % 1 === 0 ? 0 : 5.1e-5),
  );
}
