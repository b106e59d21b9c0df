import assert from "node:assert/strict";
import type { Transaction } from "../store/database.ts";
import { recordDecision } from "./decision-table.ts";
import { identityOf } from "./fingerprint.ts";
import { updateLine } from "./line-table.ts";
import { linkTradeToOrder } from "./link-order.ts";
import type { Question } from "./route-line.ts";
import { type TradeFacts, tradeKeyOf } from "./trade.ts";
import { countByFingerprint, insertTrade, linkDocument, setTradeStatus } from "./trade-table.ts";

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
  /** The trade that this one takes the place of. */
  readonly corrects: string | null;
  readonly explanation: readonly string[];
}

/**
 * Writes a confirmed trade with its document, its decision and its order. The fingerprint is unique: were
 * the same trade booked twice, the second transaction would fail as a whole.
 */
export async function bookTrade(tx: Transaction, booking: Booking): Promise<Question[]> {
  const { facts } = booking;
  const identity = identityOf(facts);
  const tradeKey = tradeKeyOf(facts, booking.username);
  assert(identity !== null && tradeKey !== null, "only a complete trade is booked");
  const stem = identity.referenceKey ?? identity.economicKey;
  const occurrence = (await countByFingerprint(tx, stem)) + 1;
  await insertTrade(tx, {
    id: booking.id,
    tradeKey,
    fingerprint: occurrence === 1 ? stem : `${stem}#${occurrence}`,
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
  await updateLine(tx, booking.lineId, {
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
    before: { corrects: booking.corrects },
  });
  if (booking.corrects !== null) await setTradeStatus(tx, booking.corrects, "amended");
  return linkTradeToOrder(tx, booking);
}
