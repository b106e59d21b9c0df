/**
 * Checks whether other programs on the shared table store the same kind of message ids as we do. Graph has two kinds:
 * immutable ids, which we store, stay when a message moves; default ids change. Rows with default ids never match
 * ours, so both sides would process every message and nobody would notice.
 */

import type { IngestionTable } from "../ingestion/ingestion-table.ts";
import { findForeignMails } from "../ingestion/ingestion-view.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Queryable } from "../store/database.ts";
import type { MailSource } from "./ingest/mail-source.ts";

/** `unknown`: other programs have no rows, or we can read none of their messages. */
export type IdKind = "immutable" | "default" | "unknown";

export interface IdProbe {
  /** Asks Graph at most every ten minutes, and when other programs have new rows while nothing is known. */
  look(): Promise<IdKind>;
  /** Why no message may be claimed at present; null if nothing is wrong. */
  whyNot(): Promise<string | null>;
}

const SAMPLE = 5;
const LOOK_EVERY_MS = 10 * 60 * 1_000;

export function createIdProbe(needs: {
  readonly database: Queryable;
  readonly table: IngestionTable;
  readonly mail: Pick<MailSource, "getMessage">;
  readonly clock: Clock;
  readonly log: Log;
}): IdProbe {
  let last: { readonly kind: IdKind; readonly atMs: number; readonly sample: string } | null = null;

  const kindOf = async (row: { mailbox: string; messageId: string }): Promise<IdKind> => {
    // A mailbox that we may not read gives no answer.
    const message = await needs.mail.getMessage(row.mailbox, row.messageId).catch((error) => {
      needs.log.debug({ err: error }, "a message of another program cannot be read");
      return null;
    });
    if (message === null) return "unknown";
    return message.id === row.messageId ? "immutable" : "default";
  };

  const look = async (): Promise<IdKind> => {
    const nowMs = needs.clock.now();
    const isRecent = last !== null && nowMs - last.atMs < LOOK_EVERY_MS;
    if (isRecent && last!.kind !== "unknown") return last!.kind;
    // A program that begins after our first look must not go unnoticed until the next.
    const rows = await findForeignMails(needs.database, needs.table, SAMPLE);
    const sample = rows.map((row) => row.messageId).join(" ");
    if (isRecent && last!.sample === sample) return "unknown";
    let kind: IdKind = "unknown";
    for (const row of rows) {
      const found = await kindOf(row);
      if (found !== "unknown") kind = found;
      if (found === "default") break;
    }
    last = { kind, atMs: nowMs, sample };
    if (kind === "default") needs.log.error({ table: needs.table.name }, DIFFERENT);
    return kind;
  };
  return { look, whyNot: async () => ((await look()) === "default" ? DIFFERENT : null) };
}

const DIFFERENT =
  "another program on the ingestion table stores default message ids and we store immutable ones: every message would be processed twice";
