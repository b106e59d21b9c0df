/** Workers on several machines: one database and one archive, but each machine has its own disk. */
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { retryPendingArchives } from "../../src/archive/retry-pending-archives.ts";
import { openDiskFileStore } from "../../src/files/file-store.ts";
import { forgetIngestion } from "../../src/flows/ingestion/forget-ingestion.ts";
import { ingestFileHandler } from "../../src/flows/ingestion/ingest-file.ts";
import type { IngestMailNeeds } from "../../src/flows/ingestion/ingest-mail.ts";
import { ingestFile } from "../../src/flows/specs/ingestion.ts";
import { shareSpool } from "../../src/ingestion/shared-spool.ts";
import { createManualClock } from "../../src/lib/clock.ts";
import { Fault } from "../../src/lib/fault.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { findReviews } from "../../src/review/review-table.ts";
import { findTrades } from "../../src/trades/trade-table.ts";
import { rowOf } from "../claims/scene.ts";
import { aTrade } from "../trades/scene.ts";
import { plainPdf } from "./plain-note.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop({}, { hasWorkers: false });
});

/** The same worker on a machine with an empty disk. */
async function anotherMachine(): Promise<IngestMailNeeds> {
  const folder = await mkdtemp(join(shop.folder, "machine-"));
  const disk = await openDiskFileStore({ ...shop.needs, folder });
  return { ...shop.needs, files: shareSpool(shop.database, disk) };
}

/** Fetches the files of a mail and then cannot read them. */
const stopAfterFetch = (needs: IngestMailNeeds): IngestMailNeeds => ({
  ...needs,
  pdfs: { read: () => Promise.reject(new Fault("store.unavailable", "the machine stops")) },
});

let notes = 0;
const aNote = () => {
  notes += 1;
  return plainPdf({ trades: [aTrade({ reference: `M-${notes}`, account: `M${notes}` })] });
};

async function fetchedElsewhere(): Promise<string> {
  const id = await shop.send({ files: [await aNote()] });
  const outcome = await shop.attempt(id, 1, stopAfterFetch(await anotherMachine()));
  expect(outcome).toMatchObject({ isSuccess: false, errorCode: "store.unavailable" });
  return id;
}

const deleteMail = (id: string) => shop.tenant.graph.admin.hardDelete(shop.mailbox, id);

describe("a mail that another machine fetched before it stopped", () => {
  it("becomes its trade, even if it has been deleted from the mailbox since then", async () => {
    const id = await fetchedElsewhere();
    await deleteMail(id);
    expect(await shop.attempt(id, 2, await anotherMachine())).toMatchObject({ isSuccess: true });
    expect(await rowOf(shop.database, id)).toMatchObject({ status: "success" });
    expect(await findTrades(shop.database, { messageId: id })).toHaveLength(1);
  });

  it("is fetched again if neither this disk nor the database has its files", async () => {
    const id = await fetchedElsewhere();
    await shop.database.query("DELETE FROM postroom.spool_file");
    expect(await shop.attempt(id, 2, await anotherMachine())).toMatchObject({ isSuccess: true });
    expect(await findTrades(shop.database, { messageId: id })).toHaveLength(1);
  });

  it("is retried, and never given up as unreadable, if the mailbox no longer has it either", async () => {
    const id = await fetchedElsewhere();
    await shop.database.query("DELETE FROM postroom.spool_file");
    await deleteMail(id);
    for (const attempt of [2, 3, 4, 5, 6, 7]) {
      const outcome = await shop.attempt(id, attempt, await anotherMachine());
      expect(outcome).toMatchObject({ errorCode: "spool.missing", retryable: true });
      await shop.database.query("UPDATE postroom.ingest_lease SET next_attempt_at = NULL");
    }
    expect(await rowOf(shop.database, id)).toMatchObject({ status: "failed" });
    expect(await findReviews(shop.database, {})).toEqual([]);
  });
});

it("a note uploaded to one machine is read on another", async () => {
  const server = await anotherMachine();
  const { id: sha256 } = await server.files.put(await aNote());
  const job = {
    ...{ jobId: systemRandom.uuid(), jobType: ingestFile.type, subjectId: sha256 },
    ...{ correlationId: "test", idempotencyKey: `upload-${sha256}`, attempt: 1, maxAttempts: 5 },
    payload: {
      ...{ sha256, filename: "n.pdf", source: "manual_upload" as const },
      ...{ senderEmail: "nina@firm.example", receivedAt: "2026-02-05T00:00:00Z" },
    },
    createdAt: new Date().toISOString(),
  };
  const [outcome] = await ingestFileHandler(await anotherMachine()).process([job], {
    signal: new AbortController().signal,
    progress: () => {},
    commit: (_jobs, effects) => shop.database.transaction(effects),
  });
  expect(outcome).toMatchObject({ isSuccess: true, note: "1 trades" });
});

it("a promise to the archive is kept by another machine, and then no copy stays in the database", async () => {
  const put = () => Promise.reject(new Fault("blob.unavailable", "down"));
  const machine = await anotherMachine();
  const id = await shop.send({ files: [await aNote()] });
  const isDown = { ...machine, blobs: { ...machine.blobs, put } };
  expect(await shop.attempt(id, 99, isDown)).toMatchObject({ isSuccess: true });
  const tomorrow = () =>
    forgetIngestion({ ...shop.needs, clock: createManualClock(Date.now() + 2 * 86_400_000) }, 90);
  const copies = async () =>
    (await shop.database.query("SELECT FROM postroom.spool_file")).rowCount;
  await tomorrow();
  expect(await copies()).toBeGreaterThan(0);
  const { completed, failed } = await retryPendingArchives(await anotherMachine());
  expect({ completed: completed.length, failed }).toEqual({ completed: 1, failed: 0 });
  await tomorrow();
  expect(await copies()).toBe(0);
});
