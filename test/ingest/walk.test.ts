import { readdir } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { clearArchiveBacklog } from "../../src/flows/ingestion/clear-archive-backlog.ts";
import { gatherEvidence } from "../../src/flows/ingestion/gather-evidence.ts";
import { countConflicts } from "../../src/ingestion/conflict-table.ts";
import { findDocumentsOfMail } from "../../src/ingestion/document-table.ts";
import { findStages } from "../../src/ingestion/trace-table.ts";
import { Fault } from "../../src/lib/fault.ts";
import { findReviews } from "../../src/review/review-table.ts";
import { findLinks } from "../../src/trades/document-link-table.ts";
import { findTrades } from "../../src/trades/trade-table.ts";
import { foreignProgram, rowOf } from "../claims/scene.ts";
import { aTrade } from "../trades/scene.ts";
import { plainPdf } from "./plain-note.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});

let notes = 0;
/** A note about a trade that no other test uses. */
const aNote = (more: Parameters<typeof plainPdf>[0]["trades"] = [], type?: string) => {
  notes += 1;
  const trade = aTrade({ reference: `CN-${notes}`, account: `A${notes}` });
  return plainPdf({ trades: [trade, ...more], ...(type === undefined ? {} : { type }) });
};
const tradesOf = (messageId: string) => findTrades(shop.database, { messageId });
const questionsOf = async (messageId: string) => {
  const documents = await findDocumentsOfMail(shop.database, messageId);
  const open = await findReviews(shop.database, { status: "open" });
  return open.filter((review) => documents.some((each) => each.id === review.documentId));
};
const stepsOf = async (messageId: string) =>
  (await findStages(shop.database, messageId)).map((line) => line.step);

describe("a mail with a contract note", () => {
  it("becomes a confirmed trade with an archived PDF, and the trace shows every stage in order [ING-10] [ING-12] [ING-14] [ING-16] [TRD-02] [TRD-04] [TRD-08] [JOB-15]", async () => {
    const id = await shop.send({ files: [await plainPdf({ trades: [aTrade()] })] });
    await shop.ingest(id);
    const { rows: jobs } = await shop.database.query("SELECT key FROM postroom.job");
    expect(jobs).toEqual([{ key: `email-${id}` }]);
    const [trade, ...others] = await findTrades(shop.database);
    expect(others).toEqual([]);
    expect(trade).toMatchObject({
      tradeKey: "ldeburna-20260204-AAPL-BUY-100",
      status: "confirmed",
      confirmedBy: "postroom",
      needsAudit: false,
    });
    const [link] = await findLinks(shop.database, trade!.id);
    expect(link!.archivePath).toMatch(
      /^archive\/sender_email=ldeburna%40firm%2Eexample\/received_date=\d{4}-\d\d-\d\d\/ldeburna-20260204-AAPL-BUY-100\/note-1\.pdf$/,
    );
    expect(await rowOf(shop.database, id)).toMatchObject({
      status: "success",
      error_message: null,
      attachments_processed: 1,
      trades_extracted: 1,
      archive_gcs_paths: [link!.archivePath],
    });
    const steps = (await findStages(shop.database, id)).map((line) => line.step);
    expect(steps).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
    expect(
      (await readdir(shop.folder, { recursive: true })).some((f) => f.includes("note-1.pdf")),
    ).toBe(true);
  });
});

describe("what a mail may contain", () => {
  it("a mail without a PDF is skipped with a reason, and a repeated notification does not start it again [ING-20]", async () => {
    const id = await shop.send({ attachments: [{ name: "logo.png", bytes: Buffer.from("png") }] });
    await shop.ingest(id);
    expect(await rowOf(shop.database, id)).toMatchObject({
      status: "skipped",
      error_message: "no PDF; logo.png (not-a-pdf)",
    });
    await shop.ingest(id, { key: "again" });
    expect(await stepsOf(id)).toEqual(["0", "1", "2", "3", "6", "0", "1"]);
  });

  it("a PDF is recognized by content, whatever its name, type or place: inline, nameless, inside an attached mail [ING-10] [ING-12] [H-18] [R26]", async () => {
    const inside = { name: "inner.pdf", contentType: "application/pdf", bytes: await aNote() };
    const id = await shop.send({
      attachments: [
        { name: "scan.dat", contentType: "application/octet-stream", bytes: await aNote() },
        { name: "image.png", contentType: "image/png", isInline: true, bytes: await aNote() },
        { kind: "item", name: "Fwd", item: { subject: "Fwd: note", attachments: [inside] } },
        { kind: "reference", name: "cloud.pdf", sourceUrl: "https://files.example/cloud.pdf" },
      ],
    });
    await shop.ingest(id);
    expect(await tradesOf(id)).toHaveLength(3);
    const documents = await findDocumentsOfMail(shop.database, id);
    expect(documents.map((document) => document.foundIn).sort()).toEqual([
      "attached mail",
      "attachment",
      "inline",
    ]);
    const fetched = (await findStages(shop.database, id)).find((line) => line.step === "3")!;
    expect(fetched.detail["ignored"]).toEqual(["cloud.pdf (reference)"]);
  });

  it("NUL and half a surrogate pair in subject, file name and attached mail are stored visibly, and every note is booked [S61]", async () => {
    const inside = {
      name: "in\0ner\udc00.pdf",
      contentType: "application/pdf",
      bytes: await aNote(),
    };
    const id = await shop.send({
      subject: "Contract\0 note \ud800",
      attachments: [
        { name: "bad\0\ud800.pdf", contentType: "application/pdf", bytes: await aNote() },
        { name: "good.pdf", contentType: "application/pdf", bytes: await aNote() },
        { name: "not\0\udfff a pdf.dat", contentType: "text/plain", bytes: Buffer.from("x") },
        {
          kind: "item",
          name: "F\0wd\ud800",
          item: { subject: "F\0wd\ud800", attachments: [inside] },
        },
      ],
    });
    await shop.ingest(id);
    expect(await tradesOf(id)).toHaveLength(3);
    const row = await rowOf(shop.database, id);
    expect(row).toMatchObject({ status: "success", subject: "Contract\uFFFD note \uFFFD" });
  });

  it("two files with the same name are two documents with two paths, and all their trades count; the same file twice is one [TRD-08]", async () => {
    const [one, two] = [await aNote(), await aNote()];
    const id = await shop.send({
      files: [one, two, one].map((bytes) => ({ name: "note.pdf", bytes })),
    });
    await shop.ingest(id);
    expect(await tradesOf(id)).toHaveLength(2);
    const row = await rowOf(shop.database, id);
    expect(row).toMatchObject({ status: "success", attachments_processed: 2, trades_extracted: 2 });
    expect(new Set(row!["archive_gcs_paths"] as string[]).size).toBe(2);
  });

  it("if one PDF of three is damaged and one is empty, the good one is booked once, the others become questions, and the mail stays failed until a person answers [ING-21] [TRD-09] [R25] [R46]", async () => {
    const good = await aNote();
    const id = await shop.send({
      files: [
        good,
        (await aNote()).subarray(0, 700),
        { name: "empty.pdf", bytes: Buffer.alloc(0) },
      ],
    });
    await shop.ingest(id);
    expect(await tradesOf(id)).toHaveLength(1);
    const row = await rowOf(shop.database, id);
    expect(row).toMatchObject({ status: "failed" });
    expect(row!["error_message"]).toMatch(/note-2\.pdf: damaged.*empty\.pdf: empty/);
    const open = await questionsOf(id);
    expect(open.map((review) => review.subject)).toEqual(["document", "document"]);
    await shop.ingest(id, { key: "retry", isForced: true });
    expect(await tradesOf(id)).toHaveLength(1);
    expect(await questionsOf(id)).toHaveLength(2);
    for (const review of open)
      await shop.decide(review.id, { action: "not-a-note", reason: "noise" });
    expect(await rowOf(shop.database, id)).toMatchObject({
      status: "success",
      error_message: null,
      trades_extracted: 1,
    });
    expect((await rowOf(shop.database, id))!["archive_gcs_paths"]).toHaveLength(1);
  });

  it("a program that is named like a PDF is never read, ends with the reason, and a person is asked [S55]", async () => {
    const program = { name: "note.pdf", bytes: Buffer.from("MZ\u0090\u0000 this is a program") };
    const id = await shop.send({ files: [program] });
    await shop.ingest(id);
    expect((await rowOf(shop.database, id))!["error_message"]).toMatch(/not-a-pdf: no PDF header/);
    expect(await tradesOf(id)).toEqual([]);
    expect(await questionsOf(id)).toHaveLength(1);
    expect((await readdir(shop.folder, { recursive: true })).join()).not.toContain(id);
  });

  it("a file that is only named like a PDF fails visibly [H-18] [R46]", async () => {
    const twice = Buffer.from((await aNote()).toString("base64"));
    const id = await shop.send({ files: [twice] });
    await shop.ingest(id);
    expect((await rowOf(shop.database, id))!["error_message"]).toMatch(/not-a-pdf: no PDF header/);
    expect(await questionsOf(id)).toHaveLength(1);
  });

  it("a contract note in which no trade is found is never a success [R30]", async () => {
    const id = await shop.send({ files: [await plainPdf({ trades: [], remark: "new layout" })] });
    await shop.ingest(id);
    expect(await rowOf(shop.database, id)).toMatchObject({ status: "failed" });
    expect((await questionsOf(id))[0]!.reason).toBe("no-trade: a contract note without a trade");
  });

  it("a dividend page is a success without trades and without a question [X-05]", async () => {
    const id = await shop.send({
      files: [await plainPdf({ trades: [], type: "dividend", remark: "d" })],
    });
    await shop.ingest(id);
    expect(await rowOf(shop.database, id)).toMatchObject({
      status: "success",
      trades_extracted: 0,
    });
    expect(await questionsOf(id)).toEqual([]);
  });

  it("of a statement's twelve trades, one of them unclear, eleven are booked and one becomes a question [TRD-02] [TRD-08] [X-05] [R47]", async () => {
    const trades = Array.from({ length: 12 }, (_, n) =>
      aTrade({ reference: null, account: "S12", quantity: n + 1, gross: null, net: null }),
    );
    const statement = await plainPdf({
      type: "statement",
      trades: trades.map((trade, n) => (n === 5 ? { ...trade, direction: null } : trade)),
    });
    const id = await shop.send({ files: [statement] });
    await shop.ingest(id);
    expect(await tradesOf(id)).toHaveLength(11);
    expect(await questionsOf(id)).toMatchObject([
      { subject: "line", reason: "missing: direction" },
    ]);
    expect(await rowOf(shop.database, id)).toMatchObject({
      status: "success",
      trades_extracted: 12,
    });
  });
});

describe("confidence", () => {
  it("of 0.8 confirms a trade, of 0.5 confirms it and marks it for audit, and less makes it a question [TRD-04] [X-02]", async () => {
    const trades = [0.8, 0.79, 0.5, 0.49].map((confidence, n) => ({
      ...aTrade({ reference: `K-${n}`, account: "K" }),
      confidence,
    }));
    const id = await shop.send({ files: [await plainPdf({ trades, type: "statement" })] });
    await shop.ingest(id);
    const booked = (await tradesOf(id)).map((trade) => [trade.confidence, trade.needsAudit]).sort();
    expect(booked).toEqual([
      [0.5, true],
      [0.79, true],
      [0.8, false],
    ]);
    expect((await questionsOf(id))[0]!.reason).toMatch(/confidence 0.49 is below 0.5/);
  });
});

describe("the same mail again", () => {
  it("a second notification finds it done and fetches nothing [ING-05] [TRD-09] [R04]", async () => {
    const id = await shop.send({ files: [await aNote()] });
    await shop.ingest(id);
    await shop.ingest(id, { key: "second" });
    expect(await stepsOf(id)).toEqual(["0", "1", "2", "3", "4", "5", "6", "0"]);
    expect(await tradesOf(id)).toHaveLength(1);
  });

  it("a copy in another folder has another id and the same effects [TRD-03]", async () => {
    const id = await shop.send({ files: [await aNote()] });
    await shop.ingest(id);
    const copy = shop.tenant.graph.admin.copy(shop.mailbox, id, "archive").immutableId;
    await shop.ingest(copy);
    expect(await rowOf(shop.database, copy)).toMatchObject({
      status: "success",
      trades_extracted: 1,
    });
    expect(await tradesOf(id)).toHaveLength(1);
    expect(await tradesOf(copy)).toEqual([]);
    expect(await findDocumentsOfMail(shop.database, copy)).toEqual([]);
  });

  it("a message that is gone ends as skipped, not as an error", async () => {
    const id = await shop.send({});
    shop.tenant.graph.admin.hardDelete(shop.mailbox, id);
    expect(await shop.attempt(id, 1)).toMatchObject({
      errorCode: "graph.not-found",
      retryable: true,
    });
    expect(await rowOf(shop.database, id)).toBeUndefined();
    expect(await shop.attempt(id, 3)).toMatchObject({ isSuccess: true });
    expect(await rowOf(shop.database, id)).toMatchObject({
      status: "skipped",
      error_message: "gone: the message is no longer in the mailbox",
    });
  });
});

describe("when something fails on the way", () => {
  const failing = (error: Error) => ({
    ...shop.needs,
    mail: { ...shop.needs.mail, listAttachments: () => Promise.reject(error) },
  });

  it("the row shows the reason, the message is retried, and the reason is gone after success [ING-15] [ING-18] [H-05] [R52]", async () => {
    const id = await shop.send({ files: [await aNote()] });
    const down = new Fault("graph.unavailable", "Graph answered 503 to Bearer eyJhbGciOi.x.y");
    const outcome = await attemptWith(failing(down), id, 1);
    expect(outcome).toMatchObject({
      isSuccess: false,
      errorCode: "graph.unavailable",
      retryable: true,
    });
    expect(await rowOf(shop.database, id)).toMatchObject({ status: "failed" });
    expect(String((await rowOf(shop.database, id))!["error_message"])).not.toContain("eyJ");
    await shop.database.query("UPDATE postroom.ingest_lease SET next_attempt_at = postroom.now()");
    expect(await shop.attempt(id, 2)).toMatchObject({ isSuccess: true });
    expect(await rowOf(shop.database, id)).toMatchObject({
      status: "success",
      error_message: null,
    });
    expect(await stepsOf(id)).toEqual(["0", "1", "2", "6b", "0", "1", "2", "3", "4", "5", "6"]);
  });

  it("throttling does not count as an attempt [H-05]", async () => {
    const id = await shop.send({ files: [await aNote()] });
    const throttled = new Fault("graph.throttled", "later", { retryAfterMs: 9_000 });
    const outcome = await attemptWith(failing(throttled), id, 1);
    expect(outcome).toMatchObject({ countsAsAttempt: false, retryAfterMs: 9_000 });
    expect(await rowOf(shop.database, id)).toMatchObject({ status: "processing" });
    expect(await shop.attempt(id, 1)).toMatchObject({ isSuccess: true });
  });

  it("trades do not wait for an archive that is down: the path is promised, the archive catches up, and evidence says so [ING-11] [ING-13] [H-19]", async () => {
    const id = await shop.send({ files: [await aNote()] });
    const isDown = {
      ...shop.needs,
      blobs: {
        ...shop.needs.blobs,
        put: () => Promise.reject(new Fault("blob.unavailable", "no bucket")),
      },
    };
    expect(await attemptWith(isDown, id, 1)).toMatchObject({ isSuccess: true });
    expect(await tradesOf(id)).toHaveLength(1);
    const row = await rowOf(shop.database, id);
    expect(row).toMatchObject({ status: "success" });
    const paths = row!["archive_gcs_paths"] as string[];
    expect(paths).toHaveLength(1);
    const { rows } = await shop.database.query(
      `SELECT p.path FROM postroom.archive_pending p JOIN postroom.spool_file s ON s.sha256 = p.sha256
        WHERE p.path = ANY($1)`,
      [paths],
    );
    expect(rows.map((pending) => pending["path"])).toEqual(paths);
    const lacks = async (needs: typeof shop.needs) =>
      (await gatherEvidence(needs, { kind: "message", id }))!.missing.map(({ what }) => what);
    expect(await lacks(isDown)).toEqual([expect.stringContaining("the archived copy of")]);
    await clearArchiveBacklog(shop.needs);
    expect(await lacks(shop.needs)).toEqual([]);
  });

  it("nothing is written to the archive before every document is processed [ING-11] [ING-13]", async () => {
    const id = await shop.send({ files: [await aNote(), await aNote()] });
    const stepsAtWrite: string[][] = [];
    const watched = {
      ...shop.needs,
      blobs: {
        ...shop.needs.blobs,
        put: async (blob: Parameters<typeof shop.needs.blobs.put>[0]) => {
          stepsAtWrite.push(await stepsOf(id));
          return shop.needs.blobs.put(blob);
        },
      },
    };
    expect(await attemptWith(watched, id, 1)).toMatchObject({ isSuccess: true });
    expect(new Set(stepsAtWrite.map((steps) => steps.join()))).toEqual(new Set(["0,1,2,3,4,4"]));
  });

  it("a document's row is committed before its file is opened [X-07]", async () => {
    const id = await shop.send({ files: [await aNote()] });
    const seen: string[] = [];
    const read: typeof shop.needs.pdfs.read = async (bytes, signal) => {
      const documents = await findDocumentsOfMail(shop.database, id);
      seen.push(...documents.map((document) => document.status));
      return shop.needs.pdfs.read(bytes, signal);
    };
    await attemptWith({ ...shop.needs, pdfs: { read } }, id, 1);
    expect(seen).toEqual(["received"]);
  });

  it("a program that takes the message meanwhile keeps it: our result is discarded and the conflict counted [ING-19] [R01]", async () => {
    const id = await shop.send({ files: [await aNote()] });
    const before = await countConflicts(shop.database, shop.needs.table);
    const dag = foreignProgram(shop.database, shop.needs.table, "airflow-1");
    const thieved = {
      ...shop.needs,
      pdfs: {
        read: async (bytes: Uint8Array, signal?: AbortSignal) => {
          await dag.claim(id);
          return shop.needs.pdfs.read(bytes, signal);
        },
      },
    };
    expect(await attemptWith(thieved, id, 1)).toMatchObject({ errorCode: "job.lease-lost" });
    expect(await tradesOf(id)).toEqual([]);
    expect(await countConflicts(shop.database, shop.needs.table)).toBe(before + 1);
    expect(await shop.attempt(id, 2)).toMatchObject({
      errorCode: "job.busy",
      countsAsAttempt: false,
    });
    await dag.succeed(id);
    expect(await shop.attempt(id, 2)).toMatchObject({ isSuccess: true, excluded: "done before" });
  });

  it("a file on which five processes died is not opened again; a shutdown does not count", async () => {
    const id = await shop.send({ files: [await aNote()] });
    const stopped = { ...shop.needs, pdfs: { read: () => Promise.reject(new Error("stopped")) } };
    for (const attempt of [1, 2]) {
      await attemptWith(stopped, id, attempt);
      await shop.database.query("UPDATE postroom.ingest_lease SET next_attempt_at = NULL");
    }
    const [document] = await findDocumentsOfMail(shop.database, id);
    expect(document!.reads).toBe(0);
    await shop.database.query("UPDATE postroom.trade_document SET reads = 5 WHERE id = $1", [
      document!.id,
    ]);
    expect(await attemptWith(stopped, id, 3)).toMatchObject({ isSuccess: true });
    expect((await questionsOf(id))[0]!.reason).toBe("poison: 5 processes died while reading it");
  });

  it("an id that does not fit the shared table fails visibly at once [WEB-16]", async () => {
    expect(await shop.attempt("x".repeat(300), 1)).toMatchObject({
      errorCode: "mail.id-too-long",
      retryable: false,
    });
  });
});

const attemptWith = (needs: Workshop["needs"], id: string, attempt: number) =>
  shop.attempt(id, attempt, needs);
