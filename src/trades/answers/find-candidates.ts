import type { TradeDocument } from "../../ingestion/document-table.ts";
import type { Transaction } from "../../store/database.ts";
import { kindOfDocument } from "../document-content.ts";
import { findPlace } from "../routing/route-trade-line.ts";
import type { TradeLine } from "../trade-line-table.ts";
import { getTrade, type Trade } from "../trade-table.ts";

/** The booked trades that an open line may report once more, change or cancel; a person compares it with them. */
export async function findCandidates(
  tx: Transaction,
  line: TradeLine,
  document: TradeDocument,
): Promise<Trade[]> {
  const place = await findPlace(
    tx,
    {
      kind: kindOfDocument(document.documentType),
      textHash: document.textSha256 ?? "",
      taken: new Set<string>(),
    },
    line.facts,
  );
  if (place === null || place.kind === "new") return [];
  const ids = place.kind === "ask" ? place.candidates : [place.tradeId];
  const trades = await Promise.all(ids.map((id) => getTrade(tx, id)));
  // What was taken back, perhaps from this very line, is no trade to compare with.
  return trades.flatMap((trade) => (trade === null || trade.status === "withdrawn" ? [] : [trade]));
}
