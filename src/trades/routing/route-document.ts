import type { TradeDocument } from "../../ingestion/document-table.ts";
import { recordEffect } from "../../ingestion/effect-table.ts";
import type { Transaction } from "../../store/database.ts";
import type { DocumentKind, ReadTradeLine } from "../document-content.ts";
import { findKnownPeople } from "../senders/person-table.ts";
import { findApprovedSenders } from "../senders/sender-table.ts";
import { trustSender } from "../senders/trust-sender.ts";
import { lockBooking } from "../trade-table.ts";
import { type RoutedTradeLine, type RoutingContext, routeTradeLine } from "./route-trade-line.ts";

export interface DocumentToRoute {
  readonly document: RoutingContext["document"] & Pick<TradeDocument, "emailKey" | "sha256">;
  readonly kind: DocumentKind;
  readonly textHash: string;
  readonly lines: readonly ReadTradeLine[];
  readonly mentions?: readonly string[];
  readonly firmDomains: readonly string[];
  readonly today: string;
  /** The worker that routes; stored with the effect. */
  readonly workerId: string;
}

/**
 * Routes every trade line of a document in the caller's transaction. Skips lines that any worker has routed
 * before.
 */
export async function routeDocument(
  tx: Transaction,
  request: DocumentToRoute,
): Promise<RoutedTradeLine[]> {
  if (request.lines.length === 0) return [];
  await lockBooking(tx);
  const people = await findKnownPeople(tx);
  const approvals = await findApprovedSenders(tx);
  const context: RoutingContext = {
    ...request,
    // A statement prints the references of all its trades; only a note names the trade that it corrects.
    mentions: request.lines.length === 1 ? (request.mentions ?? []) : [],
    people,
    trust: trustSender({ ...request, people, approvals }),
    taken: new Set(),
  };
  const routed: RoutedTradeLine[] = [];
  for (const [position, line] of request.lines.entries()) {
    if (!(await isFirst(tx, request, position))) continue;
    routed.push(await routeTradeLine(tx, context, line, position));
  }
  return routed;
}

function isFirst(
  tx: Transaction,
  { document, workerId }: DocumentToRoute,
  position: number,
): Promise<boolean> {
  const { emailKey, sha256 } = document;
  return recordEffect(tx, { emailKey, sha256, fingerprint: `line:${position}`, worker: workerId });
}
