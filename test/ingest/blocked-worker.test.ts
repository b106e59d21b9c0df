import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sweepIngestion } from "../../src/flows/ingestion/sweep-ingestion.ts";
import { ingestMail, ingestMailKey } from "../../src/flows/specs/ingestion.ts";
import { findTrades } from "../../src/trades/trade-table.ts";
import { rowOf } from "../claims/scene.ts";
import { bundleProgram } from "../helpers/bundle.ts";
import { endWithUs } from "../helpers/end-with-us.ts";
import { aTrade } from "../trades/scene.ts";
import { plainPdf } from "./plain-note.ts";
import { openWorkshop } from "./workshop.ts";

it("a process whose main thread is blocked keeps its job by a thread of its own, loses the message that its main thread held, and writes nothing when it wakes [H-04] [R35] [R02]", async () => {
  const shop = await openWorkshop({}, { hasWorkers: false });
  const { database, mailbox, tenant } = shop;
  const messageId = await shop.send({ files: [await plainPdf({ trades: [aTrade()] })] });
  const idempotencyKey = ingestMailKey(messageId);
  await database.transaction((tx) =>
    shop.jobs.queue.add(tx, ingestMail, [
      { subjectId: messageId, idempotencyKey, payload: { mailbox, messageId } },
    ]),
  );
  const program = await bundleProgram(new URL("./programs/ingest-worker.ts", import.meta.url));
  const wake = join(shop.folder, "wake");
  const args = [program, database.url, shop.folder, tenant.origin, tenant.tokenFor({}), "nowhere"];
  const child = spawn(process.execPath, [...args, wake], { stdio: ["ignore", "pipe", "inherit"] });
  endWithUs(child);
  const ended = once(child, "exit");
  try {
    await once(child.stdout, "data");
    await expect.poll(() => sweepIngestion(shop.needs)).toMatchObject({ reaped: 1, retried: 0 });

    // Longer than its lease has passed, and the job is still its own.
    const job = async () => {
      const { rows } = await database.query(
        `SELECT j.takeovers, j.attempt, w.until > clock_timestamp() AS "isHeld",
                clock_timestamp() > j.leased_at + interval '10 s' AS "isLater"
           FROM postroom.job j LEFT JOIN postroom.job_worker w ON w.id = j.lease_owner`,
      );
      return rows[0];
    };
    const held = { takeovers: 0, attempt: 1, isHeld: true, isLater: true };
    await expect.poll(job, { interval: 200 }).toEqual(held);

    expect(await shop.attempt(messageId, 1)).toMatchObject({ isSuccess: true });
  } finally {
    await writeFile(wake, "");
  }
  expect(await ended).toEqual([0, null]);
  expect(await rowOf(database, messageId)).toMatchObject({
    status: "success",
    error_message: null,
  });
  expect(await findTrades(database, { messageId })).toHaveLength(1);
  const conflicts = await database.query("SELECT kind FROM postroom.claim_conflict");
  expect(conflicts.rows).toEqual([{ kind: "fenced" }]);
  const { rows } = await database.query("SELECT state, note FROM postroom.job");
  expect(rows).toEqual([{ state: "Completed", note: "done before" }]);
});
