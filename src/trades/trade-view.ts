import type { CsvValue } from "../lib/csv.ts";
import type { Queryable } from "../store/database.ts";
import { findLinksOf, type TradeDocumentLink } from "./document-link-table.ts";
import { findSuccessors, type Trade } from "./trade-table.ts";

/** A trade as the API returns it: one flat object, with the documents that report it. */
export interface TradeView {
  readonly id: string;
  readonly tradeKey: string;
  readonly status: Trade["status"];
  readonly confirmedBy: string;
  readonly needsAudit: boolean;
  readonly username: string;
  readonly senderEmail: string;
  readonly direction: string | null;
  readonly quantity: number | null;
  readonly price: number | null;
  readonly priceCurrency: string | null;
  readonly gross: number | null;
  readonly fees: number | null;
  readonly taxes: number | null;
  readonly net: number | null;
  readonly currency: string | null;
  readonly tradeDate: string | null;
  readonly settlementDate: string | null;
  readonly name: string | null;
  readonly isin: string | null;
  readonly ticker: string | null;
  readonly reference: string | null;
  readonly account: string | null;
  readonly broker: string | null;
  readonly confidence: number;
  readonly orderId: number | null;
  readonly orderState: Trade["orderState"];
  readonly correctsId: string | null;
  /** The trade that replaced this one. */
  readonly correctedById: string | null;
  readonly createdAt: Date;
  readonly documents: readonly TradeDocumentLink[];
}

export async function toViews(on: Queryable, trades: readonly Trade[]): Promise<TradeView[]> {
  const ids = trades.map((trade) => trade.id);
  const links = await findLinksOf(on, ids);
  const successors = await findSuccessors(on, ids);
  return trades.map((trade) => ({
    ...toView(trade, links.get(trade.id) ?? []),
    correctedById: successors.get(trade.id) ?? null,
  }));
}

function toView(
  trade: Trade,
  documents: readonly TradeDocumentLink[],
): Omit<TradeView, "correctedById"> {
  const { facts } = trade;
  return {
    id: trade.id,
    tradeKey: trade.tradeKey,
    status: trade.status,
    confirmedBy: trade.confirmedBy,
    needsAudit: trade.needsAudit,
    username: trade.username,
    senderEmail: trade.senderEmail,
    direction: facts.direction,
    quantity: facts.quantity,
    price: facts.price,
    priceCurrency: facts.priceCurrency,
    gross: facts.gross,
    fees: facts.fees,
    taxes: facts.taxes,
    net: facts.net,
    currency: facts.currency,
    tradeDate: facts.tradeDate,
    settlementDate: facts.settlementDate,
    name: facts.name,
    isin: facts.isin,
    ticker: facts.ticker,
    reference: facts.reference,
    account: facts.account,
    broker: facts.broker,
    confidence: trade.confidence,
    orderId: trade.orderId,
    orderState: trade.orderState,
    correctsId: trade.correctsId,
    createdAt: trade.createdAt,
    documents,
  };
}

export const TRADE_COLUMNS = [
  "tradeKey",
  "status",
  "username",
  "tradeDate",
  "direction",
  "quantity",
  "ticker",
  "isin",
  "name",
  "price",
  "priceCurrency",
  "gross",
  "fees",
  "taxes",
  "net",
  "currency",
  "settlementDate",
  "reference",
  "account",
  "broker",
  "confidence",
  "needsAudit",
  "confirmedBy",
  "orderState",
  "archivePath",
  "createdAt",
  "id",
  "correctsId",
  "correctedById",
] as const;

/** One row of a CSV file. */
export function toCsvRow(view: TradeView): Record<string, CsvValue> {
  const { documents, createdAt, ...flat } = view;
  const primary = documents.find((document) => document.isPrimary);
  return {
    ...flat,
    createdAt: createdAt.toISOString(),
    archivePath: primary?.archivePath ?? null,
  };
}
