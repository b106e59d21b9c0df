/** One row of predictions, in the format that scoring tools for extractions read. */
import type { ExtractedTrade, Extraction, FieldName } from "./extraction.ts";

export interface PredictedTrade {
  direction: string;
  date?: string;
  isin?: string;
  wkn?: string;
  ticker?: string;
  shares: number;
  amount: number;
  gross: number;
  fees: number;
  taxes: number;
  currency?: string;
  cancelled: boolean;
  confidence: Record<string, number>;
  trade_confidence: number;
  auto_confirm: boolean;
}

export interface PredictionRow {
  file: string;
  type: string;
  trades: PredictedTrade[];
}

export function predictionOf(file: string, extraction: Extraction): PredictionRow {
  return { file, type: extraction.documentType, trades: extraction.trades.map(predictedTrade) };
}

function predictedTrade(trade: ExtractedTrade): PredictedTrade {
  const { security } = trade;
  const national = security.wkn ?? security.valor ?? security.cusip ?? security.sedol;
  return {
    direction: trade.direction,
    ...(trade.tradeDate && { date: trade.tradeDate }),
    ...(security.isin && { isin: security.isin }),
    ...(national && { wkn: national }),
    ...(security.ticker && { ticker: security.ticker }),
    shares: trade.quantity,
    amount: trade.net,
    gross: trade.gross,
    fees: total(trade.fees),
    taxes: total(trade.taxes),
    ...(trade.currency && { currency: trade.currency }),
    cancelled: trade.isCancellation,
    confidence: confidences(trade),
    trade_confidence: round(trade.confidence),
    auto_confirm: trade.canAutoConfirm,
  };
}

function total(lines: ExtractedTrade["fees"]): number {
  return Math.round(lines.reduce((sum, line) => sum + line.amount, 0) * 100) / 100;
}

const NAMES: Readonly<Record<string, readonly FieldName[]>> = {
  direction: ["direction"],
  date: ["tradeDate"],
  security: ["isin", "wkn", "valor", "cusip", "sedol", "ticker"],
  shares: ["quantity"],
  currency: ["currency"],
  amount: ["net"],
};

function confidences(trade: ExtractedTrade): Record<string, number> {
  const out: Record<string, number> = {};
  for (const [name, fields] of Object.entries(NAMES)) {
    const field = fields
      .map((candidate) => trade.perField[candidate])
      .find((found) => found !== undefined);
    if (field) out[name] = round(field.confidence);
  }
  return out;
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
