/** What happens to a message after its first walk: moved, its archive late, its worker asleep, forgotten. */

import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { clearArchiveBacklog } from "../../src/flows/ingestion/clear-archive-backlog.ts";
import { forgetIngestion } from "../../src/flows/ingestion/forget-ingestion.ts";
import { createIdProbe } from "../../src/flows/ingestion/probe-ids.ts";
import { sweepIngestion } from "../../src/flows/ingestion/sweep-ingestion.ts";
import { ingestFile } from "../../src/flows/specs/ingestion.ts";
import { countConflicts } from "../../src/ingestion/conflict-table.ts";
import { findDocumentsOfMail } from "../../src/ingestion/document-table.ts";
import { installGuard, removeGuard } from "../../src/ingestion/guard.ts";
import { findStages } from "../../src/ingestion/trace-table.ts";
import { createManualClock } from "../../src/lib/clock.ts";
import { Fault } from "../../src/lib/fault.ts";
import { sha256Hex } from "../../src/lib/hash.ts";
import { findLinks } from "../../src/trades/document-link-table.ts";
import { findTrades } from "../../src/trades/trade-table.ts";
import { expireLease, foreignProgram, rowOf } from "../claims/scene.ts";
import { aTrade } from "../trades/scene.ts";
import { plainPdf } from "./plain-note.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});

let notes = 0;
const aNote = () => {
  notes += 1;
  return plainPdf({ trades: [aTrade({ reference: `L-${notes}`, account: `L${notes}` })] });
};
const tradesOf = (messageId: string) => findTrades(shop.database, { messageId });
const dueNow = () => shop.database.query("UPDATE postroom.ingest_lease SET next_attempt_at = NULL");

describe("a message that was moved by copying and deleting", () => {
  it("is found by its internet message id and ingested once, under its new id [R12]", async () => {
    const id = await shop.send({ files: [await aNote()] });
    const listAttachments = () => Promise.reject(new Fault("graph.unavailable", "503"));
    await shop.attempt(id, 1, { ...shop.needs, mail: { ...shop.needs.mail, listAttachments } });
    await dueNow();
    const moved = shop.tenant.graph.admin.dragToFolder(shop.mailbox, id, "archive").immutableId;
    expect(await shop.attempt(id, 2)).toMatchObject({ errorCode: "graph.not-found" });
    expect(await shop.attempt(id, 3)).toMatchObject({ excluded: `moved: it is ${moved} now` });
    await shop.jobs.workUntilIdle();
    expect(await rowOf(shop.database, id)).toMatchObject({ status: "skipped" });
    expect(await rowOf(shop.database, moved)).toMatchObject({ status: "success" });
    expect(await tradesOf(moved)).toHaveLength(1);
  });

  it("is also found if only the mailbox's events have recorded it [R12]", async () => {
    const internetMessageId = "<dragged@firm.example>";
    const id = await shop.send({ files: [await aNote()], internetMessageId });
    await shop.database.query(
      `INSERT INTO postroom.message (mailbox, message_id, internet_message_id, folder_id, is_read, is_draft, flag,
           categories, change_key, modified_at, looked_at, importance, has_attachments, has_list_unsubscribe, is_automated)
       SELECT id, $2, 'dragged@firm.example', 'f', false, false, 'notFlagged', '{}', 'k', now(), now(), 'normal',
              true, false, false FROM postroom.mailbox WHERE address = $1`,
      [shop.mailbox, id],
    );
    const moved = shop.tenant.graph.admin.dragToFolder(shop.mailbox, id, "archive").immutableId;
    expect(await shop.attempt(id, 3)).toMatchObject({ excluded: `moved: it is ${moved} now` });
    await shop.jobs.workUntilIdle();
    expect(await tradesOf(moved)).toHaveLength(1);
  });
});

describe("a path that was promised while the archive was down", () => {
  it("and taken by other bytes meanwhile is corrected everywhere, even with the guard installed [H-19] [ING-14]", async () => {
    await installGuard(shop.database, shop.needs.table);
    const files = [await aNote(), await aNote()].map((bytes, n) => ({
      name: `late-${n}.pdf`,
      bytes,
    }));
    const id = await shop.send({ files });
    const put = () => Promise.reject(new Fault("blob.unavailable", "no bucket"));
    await shop.attempt(id, 5, { ...shop.needs, blobs: { ...shop.needs.blobs, put } });
    const promised = (await rowOf(shop.database, id))!["archive_gcs_paths"] as string[];
    expect(promised).toHaveLength(2);
    const taken = { path: promised[1]!, bytes: Buffer.from("another"), metadata: {} };
    await shop.needs.blobs.put({ ...taken, contentType: "application/pdf" });
    expect((await clearArchiveBacklog(shop.needs)).completed).toHaveLength(2);
    const row = await rowOf(shop.database, id);
    const paths = row!["archive_gcs_paths"] as string[];
    expect(row).toMatchObject({ status: "success", attachments_processed: 2 });
    expect(paths[0]).toBe(promised[0]);
    expect(paths[1]).toMatch(/-[0-9a-f]{8}\.pdf$/);
    for (const path of paths) expect(await shop.needs.blobs.get(path)).not.toBeNull();
    const links = await Promise.all(
      (await tradesOf(id)).map((trade) => findLinks(shop.database, trade.id)),
    );
    expect(links.flatMap((link) => link.map((each) => each.archivePath)).sort()).toEqual(
      [...paths].sort(),
    );
    await removeGuard(shop.database, shop.needs.table);
  });
});

describe("a worker that was blocked for longer than its lease", () => {
  it("changes nothing when it resumes, and another worker finishes the message once [H-04] [R35]", async () => {
    const id = await shop.send({ files: [await aNote()] });
    // The beat of the worker comes every twenty seconds, so that it plays no part here.
    const read: typeof shop.needs.pdfs.read = async (bytes, signal) => {
      const reading = await shop.needs.pdfs.read(bytes, signal);
      await expireLease(shop.database, id);
      expect(await sweepIngestion(shop.needs)).toMatchObject({ reaped: 1, retried: 0 });
      expect(await shop.attempt(id, 1)).toMatchObject({ isSuccess: true });
      return reading;
    };
    expect(await shop.attempt(id, 1, { ...shop.needs, pdfs: { read } })).toMatchObject({
      errorCode: "job.lease-lost",
      retryable: true,
    });
    expect(await rowOf(shop.database, id)).toMatchObject({ status: "success" });
    expect(await tradesOf(id)).toHaveLength(1);
    expect(await shop.attempt(id, 2)).toMatchObject({ excluded: "done before" });
  });
});

describe("another program that stores another kind of message ids", () => {
  const otherStores = async (which: "id" | "immutableId") => {
    const [sent] = await shop.tenant.graph.admin.sendMail({ to: shop.mailbox });
    const dag = foreignProgram(shop.database, shop.needs.table, "airflow-9");
    await dag.claim(sent![which]);
    await dag.succeed(sent![which]);
    await shop.database.query(
      "UPDATE bo_airflow.email_ingestion_state SET mailbox_email = $1 WHERE worker_id = 'airflow-9'",
      [shop.mailbox],
    );
  };

  it("is noticed before a message is claimed; messages wait and continue after the program has changed [ING-19] [ING-23]", async () => {
    const clock = createManualClock(0);
    const probe = createIdProbe({ ...shop.needs, clock });
    const needs = { ...shop.needs, getObstacle: probe.getObstacle };
    expect(await probe.look()).toBe("unknown");
    // A program that begins right after our look is noticed at the next message.
    const later = createIdProbe({ ...shop.needs, clock });
    expect(await later.look()).toBe("unknown");
    await otherStores("immutableId");
    expect(await later.look()).toBe("immutable");
    expect(await probe.look()).toBe("immutable");
    // Another one, at any time after a look that found nothing wrong.
    await otherStores("id");
    expect(await probe.look()).toBe("default");
    expect(await later.look()).toBe("default");
    const id = await shop.send({ files: [await aNote()] });
    expect(await shop.attempt(id, 1, needs)).toMatchObject({
      errorCode: "settings.bad",
      retryable: true,
      countsAsAttempt: false,
    });
    expect(await rowOf(shop.database, id)).toBeUndefined();
    await shop.database.query(
      "UPDATE bo_airflow.email_ingestion_state SET updated_at = NOW() - interval '31 days' WHERE worker_id = 'airflow-9'",
    );
    clock.advance(600_000);
    expect(await shop.attempt(id, 1, needs)).toMatchObject({ isSuccess: true });
  });
});

describe("a program that writes its result after ours", () => {
  const writtenOver = async () => {
    const id = await shop.send({ files: [await aNote()] });
    await shop.ingest(id);
    const ours = await rowOf(shop.database, id);
    expect(ours).toMatchObject({ status: "success", trades_extracted: 1 });
    await foreignProgram(shop.database, shop.needs.table, "airflow-3").fail(id);
    return { id, ours };
  };

  it("a failure over our success is noticed, and the message is a success again with the same trade", async () => {
    const { id, ours } = await writtenOver();
    const conflicts = await countConflicts(shop.database, shop.needs.table);
    expect(await sweepIngestion(shop.needs)).toMatchObject({ overwritten: 1 });
    expect(await sweepIngestion(shop.needs)).toMatchObject({ overwritten: 0 });
    expect(await countConflicts(shop.database, shop.needs.table)).toBe(conflicts + 1);
    await shop.jobs.workUntilIdle();
    const { status, error_message, trades_extracted, archive_gcs_paths } = ours!;
    expect(await rowOf(shop.database, id)).toMatchObject({
      ...{ status, error_message, trades_extracted, archive_gcs_paths },
    });
    expect(await tradesOf(id)).toHaveLength(1);
    expect(await sweepIngestion(shop.needs)).toMatchObject({ overwritten: 0 });
    // Each failure that is written late is answered, not only the first.
    await foreignProgram(shop.database, shop.needs.table, "airflow-3").fail(id);
    expect(await sweepIngestion(shop.needs)).toMatchObject({ overwritten: 1 });
    await shop.jobs.workUntilIdle();
    expect(await rowOf(shop.database, id)).toMatchObject({ status: "success" });
    expect(await tradesOf(id)).toHaveLength(1);
  });

  it("failures of messages that we never worked on, and our own, are left to their owners", async () => {
    const dag = foreignProgram(shop.database, shop.needs.table, "airflow-3");
    await dag.claim("never-ours");
    await dag.fail("never-ours");
    const unreadable = await shop.send({ files: [(await aNote()).subarray(0, 700)] });
    await shop.ingest(unreadable);
    expect(await rowOf(shop.database, unreadable)).toMatchObject({ status: "failed" });
    expect(await sweepIngestion(shop.needs)).toMatchObject({ overwritten: 0 });
  });

  const finishedElsewhere = async () => {
    const note = await aNote();
    const id = await shop.send({ files: [note] });
    const dag = foreignProgram(shop.database, shop.needs.table, "airflow-4");
    const read: typeof shop.needs.pdfs.read = async (bytes, signal) => {
      await dag.claim(id);
      await dag.succeed(id);
      return shop.needs.pdfs.read(bytes, signal);
    };
    await shop.attempt(id, 1, { ...shop.needs, pdfs: { read } });
    expect(await statusOf(id)).toEqual([["received", null]]);
    return { id, note, dag };
  };
  const statusOf = async (id: string) =>
    (await findDocumentsOfMail(shop.database, id)).map(({ status, reason }) => [status, reason]);

  it("a message that it finished while we were reading leaves no document that waits for ever", async () => {
    const { id, dag } = await finishedElsewhere();
    const waiting = await shop.send({ files: [await aNote()] });
    const unavailable = () => Promise.reject(new Fault("blob.unavailable", "no reader"));
    await shop.attempt(waiting, 1, { ...shop.needs, pdfs: { read: unavailable } });
    expect(await sweepIngestion(shop.needs)).toMatchObject({ elsewhere: 1 });
    expect(await statusOf(id)).toEqual([["elsewhere", "airflow-4 finished its message"]]);
    expect(await statusOf(waiting)).toEqual([["received", null]]);
    expect(await sweepIngestion(shop.needs)).toMatchObject({ elsewhere: 0 });
    // If that program takes its success back, the document is ours again.
    await dag.fail(id);
    await sweepIngestion(shop.needs);
    await shop.jobs.workUntilIdle();
    expect(await statusOf(id)).toMatchObject([["parsed", null]]);
    expect(await tradesOf(id)).toHaveLength(1);
  });

  it("nobody needs the bytes of a document that it answers for", async () => {
    const { note } = await finishedElsewhere();
    const isSpooled = () => shop.needs.files.has(sha256Hex(note));
    const clock = createManualClock(Date.now() + 91 * DAY_MS);
    await forgetIngestion({ ...shop.needs, clock }, 90);
    expect(await isSpooled()).toBe(true);
    await sweepIngestion(shop.needs);
    await forgetIngestion({ ...shop.needs, clock }, 90);
    expect(await isSpooled()).toBe(false);
  });
});

describe("what ingestion no longer needs", () => {
  it("is removed after the configured days; trades, documents, readings and the archive stay", async () => {
    const note = await aNote();
    const done = await shop.send({ files: [note] });
    const asked = await shop.send({ files: [note.subarray(0, 700)] });
    await shop.ingest(done);
    await shop.ingest(asked);
    const spooled = async () => (await shop.needs.files.has(sha256Hex(note))) as boolean;
    const forget = (days: number) =>
      forgetIngestion({ ...shop.needs, clock: createManualClock(Date.now() + days * DAY_MS) }, 90);
    expect(await forget(89)).toMatchObject({ steps: 0, stages: 0, files: 0, strays: 0 });
    expect(await spooled()).toBe(true);

    const forgotten = await forget(91);
    expect(forgotten.steps).toBeGreaterThan(7);
    expect(forgotten.files).toBeGreaterThan(0);
    expect(await forget(91)).toEqual({ steps: 0, stages: 0, files: 0, strays: 0, copies: 0 });
    expect(await spooled()).toBe(false);
    expect(await findStages(shop.database, done)).toEqual([]);
    const [trade] = await tradesOf(done);
    const [link] = await findLinks(shop.database, trade!.id);
    expect(await shop.needs.blobs.get(link!.archivePath!)).toEqual(note);
    const { rows } = await shop.database.query(
      `SELECT stage, attachment_sha256 = ANY($1) AS "isMail" FROM postroom.ingest_stage
        WHERE attachment_sha256 = ANY($1) OR attachment_sha256 = $2 ORDER BY stage`,
      [[done, asked], sha256Hex(note)],
    );
    expect(rows).toEqual([
      { stage: "archive", isMail: false },
      { stage: "extract", isMail: false },
      { stage: "fetch", isMail: true },
      { stage: "message", isMail: true },
    ]);

    // The question about the other file can still be answered, and the same note can still come again.
    await shop.ingest(asked, { key: "later", isForced: true });
    expect(await rowOf(shop.database, asked)).toMatchObject({ status: "failed" });
    const again = await shop.send({ files: [note] });
    await shop.ingest(again);
    expect(await rowOf(shop.database, again)).toMatchObject({ status: "success" });
    expect(await spooled()).toBe(true);
  });

  it("works in batches, so that no statement takes long however much there is", async () => {
    await shop.database.query(
      `INSERT INTO postroom.ingest_trace (message_id, worker, step, name, at)
       SELECT 'old', 'ts:old', '0', 'id', '2020-01-01' FROM generate_series(1, 12000)`,
    );
    await shop.database.query(
      `INSERT INTO postroom.ingest_stage (email_key, attachment_sha256, stage, version, result, worker, done_at)
       SELECT 'old-' || n, s.message_id, 'fetch', '1', '{}', 'ts:old', '2020-01-01'
         FROM generate_series(1, 6000) n,
              (SELECT message_id FROM bo_airflow.email_ingestion_state WHERE status = 'success' LIMIT 1) s`,
    );
    const removed: number[] = [];
    const database: typeof shop.database = {
      ...shop.database,
      async query(text, values, name) {
        const result = await shop.database.query<never>(text, values, name);
        if (/DELETE FROM postroom.ingest_(trace|stage)/.test(text)) removed.push(result.rowCount);
        return result;
      },
    };
    await forgetIngestion({ ...shop.needs, database }, 90);
    expect(removed).toEqual([5_000, 5_000, 2_000, 5_000, 1_000]);
  });

  it("a second spooled copy of a finished document is removed again", async () => {
    const note = await aNote();
    const { id: sha256 } = await shop.needs.files.put(note);
    const upload = { sha256, filename: "n.pdf", source: "manual_upload" as const };
    const payload = {
      ...upload,
      senderEmail: "a@firm.example",
      receivedAt: "2026-02-05T00:00:00Z",
    };
    const forget = () =>
      forgetIngestion({ ...shop.needs, clock: createManualClock(Date.now() + 91 * DAY_MS) }, 90);
    for (const time of ["first", "second"]) {
      await shop.needs.files.put(note);
      await shop.database.transaction((tx) =>
        shop.jobs.queue.add(tx, ingestFile, [{ subjectId: time, idempotencyKey: time, payload }]),
      );
      await shop.jobs.workUntilIdle();
      await forget();
      expect([time, await shop.needs.files.has(sha256)]).toEqual([time, false]);
    }
  });
});

describe("a file in the spool that nothing refers to", () => {
  const forgetAfter = (days: number) =>
    forgetIngestion({ ...shop.needs, clock: createManualClock(Date.now() + days * DAY_MS) }, 90);
  const pathOf = (sha256: string) => join(shop.folder, "spool", sha256.slice(0, 2), sha256);
  const putAt = (sha256: string, at: number) => utimes(pathOf(sha256), new Date(at), new Date(at));

  it("is removed when it is old; files that an unfinished mail, an upload, a dead letter or a filing needs stay [H-19]", async () => {
    const put = async () => (await shop.needs.files.put(await aNote())).id;
    const [stray, young, waiting, dead] = [await put(), await put(), await put(), await put()];
    const [filing, filed] = [await put(), await put()];
    for (const [sha256, state] of [
      [filing, "pending"],
      [filed, "recorded"],
    ])
      await shop.database.query(
        `INSERT INTO postroom.filing (id, key, source, drive_id, path, name, size, sha256, is_spooled, state)
         VALUES (gen_random_uuid(), $1, 'email', 'b!x', $1, $1, 1, $1, true, $2)`,
        [sha256, state],
      );
    const onItsWay = await shop.send({ files: [await aNote()] });
    const read = () => Promise.reject(new Fault("blob.unavailable", "no reader"));
    await shop.attempt(onItsWay, 1, { ...shop.needs, pdfs: { read } });
    const upload = {
      filename: "n.pdf",
      source: "manual_upload" as const,
      senderEmail: "a@b.example",
    };
    await shop.database.transaction((tx) =>
      shop.jobs.queue.add(
        tx,
        ingestFile,
        [waiting, dead].map((sha256) => ({
          subjectId: sha256,
          idempotencyKey: `stray-${sha256}`,
          payload: { ...upload, sha256, receivedAt: "2026-02-05T00:00:00Z" },
          runAt: new Date(Date.now() + DAY_MS),
        })),
      ),
    );
    await shop.database.query(
      `UPDATE postroom.job SET is_open = false, is_dead = true, state = 'Poisoned', finished_at = postroom.now()
        WHERE subject_id = $1`,
      [dead],
    );
    const named = await shop.database.query<{ sha256: string }>(
      `SELECT file ->> 'sha256' AS sha256 FROM postroom.ingest_stage s, jsonb_array_elements(result -> 'files') file
        WHERE stage = 'fetch' AND attachment_sha256 = $1`,
      [onItsWay],
    );
    const fetched = named.rows[0]!.sha256;
    for (const sha256 of [stray, waiting, dead, fetched, filing, filed]) await putAt(sha256, 0);
    await putAt(young, Date.now() + DAY_MS); // after the day that is looked from

    expect((await forgetAfter(0)).strays).toBe(0); // the database is too young to know what is old
    const { strays } = await forgetAfter(90.5);
    const left = await Promise.all(
      [stray, filed, young, waiting, dead, fetched, filing].map((sha256) =>
        shop.needs.files.has(sha256),
      ),
    );
    expect({ strays, left }).toEqual({
      strays: 2,
      left: [false, false, true, true, true, true, true],
    });
  });
});

const DAY_MS = 86_400_000;
