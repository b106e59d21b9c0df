import type { TradeDocument } from "../ingestion/document-table.ts";
import type { Transaction } from "../store/database.ts";
import { findPeople } from "./order-table.ts";
import type { DocumentKind } from "./place-line.ts";
import { type ReadLine, type RoutedLine, type RoutingContext, routeLine } from "./route-line.ts";

export interface DocumentToRoute {
  readonly document: Pick<TradeDocument, "id" | "senderEmail" | "emailKey" | "sha256">;
  readonly kind: DocumentKind;
  readonly textHash: string;
  readonly lines: readonly ReadLine[];
  readonly mentions?: readonly string[];
  readonly firmDomains: readonly string[];
  readonly today: string;
  /** Who does it; stands beside the effect. */
  readonly workerId: string;
}

const ROUTING_LOCK = 7_070_020;

/**
 * Routes every line of a document in the caller's transaction. Lines that were routed before, by whomever,
 * are left alone. One document at a time passes here: two copies of a note that arrive at one instant must
 * see each other.
 */
export async function routeDocument(
  tx: Transaction,
  request: DocumentToRoute,
): Promise<RoutedLine[]> {
  if (request.lines.length === 0) return [];
  await lockRouting(tx);
  const context: RoutingContext = {
    ...request,
    // A statement prints the references of all its trades; only a note speaks of another one's.
    mentions: request.lines.length === 1 ? (request.mentions ?? []) : [],
    people: await findPeople(tx),
    taken: new Set(),
  };
  const routed: RoutedLine[] = [];
  for (const [position, line] of request.lines.entries()) {
    if (!(await isFirst(tx, request, position))) continue;
    routed.push(await routeLine(tx, context, line, position));
  }
  return routed;
}

/** Whoever books waits here for whoever books before him. */
export async function lockRouting(tx: Transaction): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock($1)", [ROUTING_LOCK]);
}

/** Writes the unique key of the effect; false when it stood there. */
async function isFirst(
  tx: Transaction,
  { document, workerId }: DocumentToRoute,
  position: number,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO postroom.ingest_effect (email_key, attachment_sha256, fingerprint, worker)
     VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [document.emailKey, document.sha256, `line:${position}`, workerId],
  );
  return rowCount > 0;
}
