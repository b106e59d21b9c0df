/** A mailbox of made-up messages on the real tables, and a program that knows only the given statements. */

import { type Claim, type ClaimAnswer, claimMail } from "../../src/ingestion/claim-mail.ts";
import { type Conclusion, concludeMail } from "../../src/ingestion/finish-mail.ts";
import type { IngestionTable } from "../../src/ingestion/ingestion-table.ts";
import { newWorkerId } from "../../src/ingestion/worker-id.ts";
import { systemRandom } from "../../src/lib/random.ts";
import type { Database, Queryable } from "../../src/store/database.ts";

export const mailOf = (messageId: string) => ({
  messageId,
  mailbox: "notes@firm.example",
  sender: "broker@bank.example",
  receivedAt: new Date("2026-02-04T10:00:00Z"),
  subject: "Contract note",
});

export function claim(
  database: Database,
  table: IngestionTable,
  messageId: string,
  options: { isForced?: boolean; workerId?: string } = {},
): Promise<ClaimAnswer> {
  return claimMail(database, table, mailOf(messageId), {
    workerId: newWorkerId(systemRandom),
    ...options,
  });
}

export async function mustClaim(
  database: Database,
  table: IngestionTable,
  messageId: string,
): Promise<Claim> {
  const answer = await claim(database, table, messageId);
  if (!answer.isOurs) throw new Error(`not claimed: ${answer.refusal.kind}`);
  return answer.claim;
}

export const done: Conclusion = {
  status: "success",
  attachmentsProcessed: 1,
  tradesExtracted: 1,
  archivePaths: ["archive/x.pdf"],
};

export const failed = { status: "failed", reason: "no luck", retryAfterMs: null } as const;

export function conclude(
  database: Database,
  table: IngestionTable,
  claimed: Claim,
  conclusion: Conclusion = done,
): Promise<boolean> {
  return database.transaction((tx) => concludeMail(tx, table, claimed, async () => conclusion));
}

/** The row as anybody sees it. */
export async function rowOf(
  database: Queryable,
  messageId: string,
): Promise<Record<string, unknown> | undefined> {
  const { rows } = await database.query<Record<string, unknown>>(
    "SELECT * FROM bo_airflow.email_ingestion_state WHERE message_id = $1",
    [messageId],
  );
  return rows[0];
}

/** Only the given statements, each in its own transaction. */
export function foreignProgram(database: Queryable, table: IngestionTable, workerId: string) {
  return {
    isDone: async (id: string) =>
      (await database.query(table.sql.checkSuccess, [id])).rows.length > 0,
    claim: async (id: string) =>
      (
        await database.query(table.sql.claim, [
          id,
          "notes@firm.example",
          "broker@bank.example",
          null,
          "s",
          workerId,
        ])
      ).rows.length > 0,
    succeed: (id: string) => database.query(table.sql.markSuccess, [1, 1, '["dag"]', id]),
    fail: (id: string) => database.query(table.sql.markFailed, ["dag failed", id]),
  };
}

/** Moves a lease into the past, as if its worker had been silent for so long. */
export async function expireLease(database: Queryable, messageId: string): Promise<void> {
  await database.query(
    "UPDATE postroom.ingest_lease SET until = postroom.now() - interval '1 second' WHERE message_id = $1",
    [messageId],
  );
}

/** Waits until a statement of this database waits for a lock. */
export async function untilSomebodyWaits(database: Queryable): Promise<void> {
  for (let tries = 0; tries < 5_000; tries += 1) {
    const { rows } = await database.query<{ n: number }>(
      `SELECT count(*) AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rows[0]!.n > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("nobody waits");
}
