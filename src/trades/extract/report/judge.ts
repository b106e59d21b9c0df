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

/** Each predicted trade pairs with the known one that it agrees with most; unpaired ones are wrong. */
export function judgeRow(truth: TruthRow, row: PredictionRow): JudgedTrade[] {
  const open = (truth.transactions ?? []).filter((trade) => isTrade(trade.type) && !trade.status);
  const out: JudgedTrade[] = [];
  for (const trade of row.trades) {
    if (trade.cancelled) continue;
    const best = pick(open, trade);
    if (best) open.splice(open.indexOf(best), 1);
    out.push({
      confidence: trade.trade_confidence,
      isConfirmed: trade.auto_confirm,
      isRight: best !== null && agreements(best, trade) === FIELDS,
    });
  }
  return out;
}

const FIELDS = 6;

function isTrade(type: string): boolean {
  return type === "BUY" || type === "SELL";
}

function pick(open: readonly TruthTrade[], trade: PredictedTrade): TruthTrade | null {
  let best: TruthTrade | null = null;
  let top = 1;
  for (const candidate of open) {
    const score = agreements(candidate, trade);
    if (score > top) {
      top = score;
      best = candidate;
    }
  }
  return best;
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
