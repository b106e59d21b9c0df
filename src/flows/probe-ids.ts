/**
 * Whether other programs on the shared table keep the same kind of message ids as we do. Graph has two kinds: ours
 * stay when a message moves, the default ones do not. Rows under default ids never meet ours, so both sides would
 * work on every message and nobody would notice.
 */

import type { IngestionTable } from "../ingestion/ingestion-table.ts";
import { findForeignMails } from "../ingestion/ingestion-view.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Queryable } from "../store/database.ts";
import type { MailSource } from "./ingest/mail-source.ts";

/** `unknown`: there are no rows of others, or none of their messages can be read. */
export type IdKind = "immutable" | "default" | "unknown";

export interface IdProbe {
  /** Looks at most every ten minutes; cheap in between. */
  look(): Promise<IdKind>;
  /** Why no message may be taken at present; null when nothing speaks against it. */
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
  let last: { readonly kind: IdKind; readonly atMs: number } | null = null;

  const kindOf = async (row: { mailbox: string; messageId: string }): Promise<IdKind> => {
    // A mailbox that is not ours to read tells nothing.
    const message = await needs.mail.getMessage(row.mailbox, row.messageId).catch((error) => {
      needs.log.debug({ err: error }, "a message of another program cannot be read");
      return null;
    });
    if (message === null) return "unknown";
    return message.id === row.messageId ? "immutable" : "default";
  };

  const look = async (): Promise<IdKind> => {
    const nowMs = needs.clock.now();
    if (last !== null && nowMs - last.atMs < LOOK_EVERY_MS) return last.kind;
    let kind: IdKind = "unknown";
    for (const row of await findForeignMails(needs.database, needs.table, SAMPLE)) {
      const found = await kindOf(row);
      if (found !== "unknown") kind = found;
      if (found === "default") break;
    }
    last = { kind, atMs: nowMs };
    if (kind === "default") needs.log.error({ table: needs.table.name }, DIFFERENT);
    return kind;
  };
  return { look, whyNot: async () => ((await look()) === "default" ? DIFFERENT : null) };
}

const DIFFERENT =
  "another program on the ingestion table stores default message ids and we store immutable ones: every message would be worked on twice";
