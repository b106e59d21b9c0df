import type { Transaction } from "../../store/database.ts";
import { recordDecision } from "../decision-table.ts";
import { releaseOrder } from "../orders/link-order.ts";
import { setTradeStatus } from "../trade-table.ts";

/** Cancels a trade and reopens the order that it was linked to. */
export async function cancelTrade(
  tx: Transaction,
  cancel: { tradeId: string; lineId: string; documentId: string; actor: string; why: string },
): Promise<void> {
  const orderId = await releaseOrder(tx, cancel.tradeId);
  await setTradeStatus(tx, cancel.tradeId, "cancelled");
  await recordDecision(tx, {
    kind: "cancel",
    actor: cancel.actor,
    lineId: cancel.lineId,
    tradeId: cancel.tradeId,
    documentId: cancel.documentId,
    explanation: [cancel.why],
    before: { orderId },
  });
}
