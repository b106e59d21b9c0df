/**
 * Checks whether other programs on the shared table store the same kind of message ids as we do. Graph has two kinds:
 * immutable ids, which we store, survive a move; default ids change. Rows with default ids never match
 * ours, so both sides would process every message and nobody would notice.
 */

import type { IngestionTable } from "../../ingestion/ingestion-table.ts";
import {
  type ForeignMail,
  findForeignMails,
  findNewForeignMails,
  getLastRow,
} from "../../ingestion/ingestion-view.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Queryable } from "../../store/database.ts";
import type { MailSource } from "./stages/mail-source.ts";

/** `unknown`: other programs have no rows, or we can read none of their messages. */
export type IdKind = "immutable" | "default" | "unknown";

export interface IdProbe {
  /** Asks Graph about the newest rows of other programs every ten minutes, and about each new one immediately. */
  look(): Promise<IdKind>;
  /** Why no message may be claimed at present; null if there is no obstacle. */
  getObstacle(): Promise<string | null>;
}

const SAMPLE = 5;
/** Rows are numbered before their commit, so that a lower number may become visible later. */
const LATE_ROWS = 100;
const LOOK_EVERY_MS = 10 * 60 * 1_000;

interface LastLook {
  readonly kind: IdKind;
  readonly atMs: number;
  /** New rows come after this one. */
  readonly after: number;
  /** Rows after that one that were asked about. */
  readonly asked: readonly number[];
}

export function createIdProbe(needs: {
  readonly database: Queryable;
  readonly table: IngestionTable;
  readonly mail: Pick<MailSource, "getMessage">;
  readonly clock: Clock;
  readonly log: Log;
}): IdProbe {
  let last: LastLook | null = null;

  // A program that starts between two looks inserts rows, which the primary key finds without a scan.
  const findRows = (recent: LastLook | null): Promise<ForeignMail[]> =>
    recent === null
      ? findForeignMails(needs.database, needs.table, SAMPLE)
      : findNewForeignMails(needs.database, needs.table, { ...recent, limit: SAMPLE });

  const kindOf = async (row: ForeignMail): Promise<IdKind> => {
    // A mailbox that we may not read says nothing about the ids.
    const message = await needs.mail.getMessage(row.mailbox, row.messageId).catch((error) => {
      needs.log.debug({ err: error }, "a message of another program cannot be read");
      return null;
    });
    if (message === null) return "unknown";
    return message.id === row.messageId ? "immutable" : "default";
  };

  const kindOfAll = async (rows: readonly ForeignMail[], known: IdKind): Promise<IdKind> => {
    let kind = known;
    for (const row of rows) {
      const found = await kindOf(row);
      if (found === "default") return found;
      if (found !== "unknown") kind = found;
    }
    return kind;
  };

  const look = async (): Promise<IdKind> => {
    const nowMs = needs.clock.now();
    const recent = last !== null && nowMs - last.atMs < LOOK_EVERY_MS ? last : null;
    if (recent?.kind === "default") return recent.kind;
    const rows = await findRows(recent);
    if (recent !== null && rows.length === 0) return recent.kind;
    const kind = await kindOfAll(rows, recent?.kind ?? "unknown");
    const newest = recent?.after ?? (await getLastRow(needs.database, needs.table)) - LATE_ROWS;
    const after = Math.max(newest, ...rows.map((row) => row.rowId - LATE_ROWS));
    const asked = [...(recent?.asked ?? []), ...rows.map((row) => row.rowId)];
    last = { kind, atMs: recent?.atMs ?? nowMs, after, asked: asked.filter((id) => id > after) };
    if (kind === "default") needs.log.error({ table: needs.table.name }, DIFFERENT);
    return kind;
  };
  return { look, getObstacle: async () => ((await look()) === "default" ? DIFFERENT : null) };
}

const DIFFERENT =
  "another program on the ingestion table stores default message ids and we store immutable ones: every message would be processed twice";
