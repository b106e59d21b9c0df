import assert from "node:assert/strict";
import { getDocument } from "../../ingestion/document-table.ts";
import type { Transaction } from "../../store/database.ts";
import type { AnswerResult, Reviewer } from "../question.ts";
import { findKnownPeople } from "../senders/person-table.ts";
import { normalizeAddress, objectionToPattern } from "../senders/sender.ts";
import { approveSender } from "../senders/sender-table.ts";
import { notApproved, trustSender } from "../senders/trust-sender.ts";
import { getTradeLine } from "../trade-line-table.ts";
import { confirmTradeLine } from "./confirm-trade-line.ts";

export interface ApproveAnswer {
  readonly lineId: string;
  /** Why a person was asked. */
  readonly reasons: readonly string[];
  /** YYYY-MM-DD; null without end. */
  readonly until: string | null;
}

/**
 * Answers the question about a note from a new sender: approves the address and books the note. If a person was asked
 * for other reasons too, the sender is approved and the question stays open with the rest. Refused if the mail may not
 * really come from that sender, so that a forgery cannot make anyone trusted.
 */
export async function approveAndConfirm(
  tx: Transaction,
  reviewer: Reviewer,
  { lineId, reasons, until }: ApproveAnswer,
): Promise<AnswerResult> {
  const line = await getTradeLine(tx, lineId);
  assert(line !== null, `line ${lineId} is gone`);
  const document = await getDocument(tx, line.documentId);
  assert(document !== null, `document ${line.documentId} is gone`);
  const pattern = normalizeAddress(document.senderEmail);
  const why = objectionToPattern(pattern);
  if (why !== null) return { kind: "refused", why };
  const people = await findKnownPeople(tx);
  const trust = trustSender({ ...reviewer, document, people, approvals: [] });
  if (!trust.isAuthenticated) {
    const reason = trust.missing[0]!;
    return { kind: "refused", why: `the sender cannot be approved by this mail: ${reason}` };
  }
  await approveSender(tx, { pattern, by: reviewer.actor, until });
  const others = reasons.filter((reason) => reason !== notApproved(document.senderEmail));
  if (others.length === 0) return confirmTradeLine(tx, reviewer, lineId);
  return {
    kind: "refused",
    why: `${pattern} is approved, but the note also asks: ${others.join("; ")}`,
  };
}
