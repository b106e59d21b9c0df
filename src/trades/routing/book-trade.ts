import assert from "node:assert/strict";
import type { Transaction } from "../../store/database.ts";
import { recordDecision } from "../decision-table.ts";
import { linkDocument } from "../document-link-table.ts";
import { identityOf } from "../fingerprint.ts";
import { linkTradeToOrder } from "../orders/link-order.ts";
import type { Question } from "../question.ts";
import { type TradeFacts, tradeKeyOf } from "../trade.ts";
import { updateTradeLine } from "../trade-line-table.ts";
import { countByFingerprint, insertTrade, setTradeStatus } from "../trade-table.ts";

export interface Booking {
  readonly id: string;
  readonly lineId: string;
  readonly documentId: string;
  readonly senderEmail: string;
  readonly username: string;
  readonly facts: TradeFacts;
  readonly confidence: number;
  readonly actor: string;
  readonly needsAudit: boolean;
  /** The trade that this one replaces. */
  readonly corrects: string | null;
  /** What the document says, if a person corrected it; an undo asks with these facts again. */
  readonly asRead?: TradeFacts;
  readonly explanation: readonly string[];
}

/**
 * Writes a confirmed trade with its document, its decision and its order. The fingerprint is unique: if the
 * same trade is booked twice, the whole second transaction fails.
 */
export async function bookTrade(tx: Transaction, booking: Booking): Promise<Question[]> {
  const { facts } = booking;
  const identity = identityOf(facts);
  const tradeKey = tradeKeyOf(facts, booking.username);
  assert(identity !== null && tradeKey !== null, "only a complete trade is booked");
  const baseFingerprint = identity.referenceKey ?? identity.economicKey;
  const occurrence = (await countByFingerprint(tx, baseFingerprint)) + 1;
  await insertTrade(tx, {
    id: booking.id,
    tradeKey,
    fingerprint: occurrence === 1 ? baseFingerprint : `${baseFingerprint}#${occurrence}`,
    ...identity,
    occurrence,
    confirmedBy: booking.actor,
    needsAudit: booking.needsAudit,
    username: booking.username,
    senderEmail: booking.senderEmail,
    confidence: booking.confidence,
    facts,
    correctsId: booking.corrects,
    orderId: null,
    orderState: "unmatched",
    matchMatrix: [],
  });
  await linkDocument(tx, booking.id, booking.documentId);
  const outcome = booking.corrects === null ? "confirmed" : "amends";
  await updateTradeLine(tx, booking.lineId, {
    outcome,
    tradeId: booking.id,
    explanation: booking.explanation,
    facts,
  });
  await recordDecision(tx, {
    kind: booking.corrects === null ? "confirm" : "amend",
    actor: booking.actor,
    lineId: booking.lineId,
    tradeId: booking.id,
    documentId: booking.documentId,
    explanation: booking.explanation,
    before: { corrects: booking.corrects, ...(booking.asRead && { facts: booking.asRead }) },
  });
  if (booking.corrects !== null) await setTradeStatus(tx, booking.corrects, "amended");
  return linkTradeToOrder(tx, booking);
}
