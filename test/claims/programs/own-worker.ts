/** One of our workers on a list of made-up mails: claim, a little work, effects and mark in one. */

import { setTimeout as sleep } from "node:timers/promises";
import { type Claim, claimMail } from "../../../src/ingestion/claim-mail.ts";
import { concludeMail } from "../../../src/ingestion/finish-mail.ts";
import { ingestionTable, isDone } from "../../../src/ingestion/ingestion-table.ts";
import { reapDeadClaims, startHeartbeat } from "../../../src/ingestion/keep-claims.ts";
import { newWorkerId } from "../../../src/ingestion/worker-id.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { openDatabase, type Transaction } from "../../../src/store/database.ts";

const [url, hasEffectKey] = process.argv.slice(2) as [string, string];
const database = openDatabase({ url, connections: 3 });
const table = ingestionTable({ leaseMs: 700 });

async function writeTrade(tx: Transaction, claim: Claim): Promise<void> {
  if (hasEffectKey === "no") {
    await tx.query("INSERT INTO kill_trade VALUES ($1, $2)", [claim.messageId, claim.workerId]);
    return;
  }
  await tx.query(
    `WITH first AS (
       INSERT INTO postroom.ingest_effect (email_key, attachment_sha256, fingerprint, worker)
       VALUES ($1, 'pdf', 'trade', $2) ON CONFLICT DO NOTHING RETURNING 1)
     INSERT INTO kill_trade SELECT $1, $2 FROM first`,
    [claim.messageId, claim.workerId],
  );
}

async function workOn(messageId: string): Promise<void> {
  if (await isDone(database, table, messageId)) return;
  const mail = { messageId, mailbox: "b", sender: null, receivedAt: null, subject: null };
  const answer = await claimMail(database, table, mail, { workerId: newWorkerId(systemRandom) });
  if (!answer.isOurs) return;
  const heartbeat = startHeartbeat({ database, clock: systemClock }, table, answer.claim);
  await sleep(Math.random() * 20);
  const isUnlucky = Math.random() < 0.05;
  await database.transaction((tx) =>
    concludeMail(tx, table, answer.claim, async () => {
      if (isUnlucky) return { status: "failed", reason: "unlucky", retryAfterMs: 0 };
      await writeTrade(tx, answer.claim);
      return { status: "success", attachmentsProcessed: 1, tradesExtracted: 1, archivePaths: [] };
    }),
  );
  await heartbeat.stop();
}

async function openMails(): Promise<string[]> {
  const { rows } = await database.query<{ message_id: string }>(
    `SELECT m.message_id FROM kill_mail m LEFT JOIN ${table.name} s USING (message_id)
      WHERE s.status IS DISTINCT FROM 'success' ORDER BY random() LIMIT 40`,
  );
  return rows.map((row) => row.message_id);
}

for (;;) {
  await database.transaction((tx) => reapDeadClaims(tx, table));
  const isLast = (await database.query("SELECT 1 FROM kill_end")).rowCount > 0;
  const mails = await openMails();
  if (mails.length === 0 && isLast) break;
  for (const messageId of mails) await workOn(messageId);
  await sleep(20);
}
await database.close();
