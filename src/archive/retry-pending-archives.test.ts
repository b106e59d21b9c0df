import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withFileSizeMax } from "../../test/files/file-size-max.ts";
import { freshDatabase } from "../../test/helpers/database.ts";
import { type GcsServer, startGcsServer } from "../../test/servers/gcs.ts";
import { type RudeProxy, startRudeProxy } from "../../test/servers/rude-proxy.ts";
import type { BlobStore } from "../files/blob-store.ts";
import { type FileStore, openDiskFileStore } from "../files/file-store.ts";
import { openBlobStore } from "../files/open-blob-store.ts";
import { systemClock as clock } from "../lib/clock.ts";
import { sha256Hex } from "../lib/hash.ts";
import { createLog } from "../lib/log.ts";
import { systemRandom as random } from "../lib/random.ts";
import type { Database } from "../store/database.ts";
import { type ArchiveRequest, archiveProcessedPdf } from "./archive-pdf.ts";
import { deferArchive } from "./defer-archive.ts";
import { countPendingArchives, findPendingArchives, takeDuePending } from "./pending-table.ts";
import { type RetryOptions, retryPendingArchives } from "./retry-pending-archives.ts";

/** Later than the time at which anything was stored. */
const NEVER = new Date(8.64e15);

const log = createLog({ level: "silent" });

describe("a document while the archive is down", () => {
  let folder: string;
  let server: GcsServer;
  let proxy: RudeProxy;
  let blobs: BlobStore;
  let files: FileStore;
  let database: Database;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "postroom-pending-"));
    server = await startGcsServer(["bucket"]);
    proxy = await startRudeProxy(server.url);
    const settings = { kind: "gcs", bucket: "bucket", endpoint: proxy.url } as const;
    blobs = await openBlobStore({ clock, random }, settings);
    files = await openDiskFileStore({ folder: join(folder, "spool"), clock, random });
    database = await freshDatabase();
    proxy.answerAll(403); // has the effect of a 503, but no SDK waits before it gives up
  });
  afterEach(async () => {
    await proxy.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const defer = (request: ArchiveRequest, subjectId: string | null = "message-1") =>
    database.transaction((tx) => deferArchive({ tx, files, clock }, request, subjectId));
  const retry = (options?: RetryOptions) =>
    retryPendingArchives({ database, files, blobs, random, log }, options);
  const makeDue = () =>
    database.query("UPDATE postroom.archive_pending SET next_try_at = postroom.now()");

  it("is a fault to retry, then a promised path whose bytes are safe [H-19]", async () => {
    const request = aNote("one");
    await expect(archiveProcessedPdf({ blobs, clock }, request)).rejects.toMatchObject({
      code: "blob.unavailable",
      remedy: "retry",
    });
    const path = await defer(request);
    expect(await files.get(sha256Hex(request.pdfBytes))).toEqual(request.pdfBytes);
    proxy.answerAll(null);
    const { completed } = await retry();
    expect(completed).toEqual([{ subjectId: "message-1", promisedPath: path, path }]);
    expect(await blobs.get(path)).toEqual(request.pdfBytes);
    expect(await countPendingArchives(database)).toEqual({ count: 0, oldestAt: null });
  });

  it("is visible with its attempts and the last reason [H-19]", async () => {
    await defer(aNote("one"));
    expect(await retry()).toEqual({ completed: [], failed: 1 });
    const [pending] = await findPendingArchives(database);
    expect(pending).toMatchObject({ attempts: 1, subjectId: "message-1" });
    expect(pending!.lastError).toContain("blob.unavailable");
    const { count, oldestAt } = await countPendingArchives(database);
    expect([count, oldestAt]).toEqual([1, pending!.createdAt]);
  });

  it("waits for the next round: a round ends at the first sign that the archive is down", async () => {
    for (const text of ["one", "two", "three"]) await defer(aNote(text, { uniqueId: text }));
    expect((await retry()).failed).toBe(1);
    proxy.answerAll(null);
    await makeDue();
    expect((await retry()).completed).toHaveLength(3);
  });

  it("completes the mail's paths in the transaction that removes its row [H-19]", async () => {
    await database.query("CREATE TABLE mail_paths (message text PRIMARY KEY, paths jsonb)");
    const path = await defer(aNote("one"));
    proxy.answerAll(null);
    const onStored: RetryOptions["onStored"] = async (tx, stored) => {
      await tx.query("INSERT INTO mail_paths VALUES ($1, $2)", [
        stored.subjectId,
        JSON.stringify([stored.path]),
      ]);
    };
    const failing = await retry({
      onStored: async (tx, stored) => {
        await onStored(tx, stored);
        throw new Error("the process dies here");
      },
    });
    expect(failing).toEqual({ completed: [], failed: 1 });
    expect((await database.query("SELECT * FROM mail_paths")).rows).toEqual([]);
    await makeDue();
    await retry({ onStored });
    expect((await database.query("SELECT * FROM mail_paths")).rows).toEqual([
      { message: "message-1", paths: [path] },
    ]);
  });

  it("gets a path of its own if another document has the same name", async () => {
    const paths = [await defer(aNote("one")), await defer(aNote("two")), await defer(aNote("one"))];
    expect(paths[1]).not.toBe(paths[0]);
    expect(paths[2]).toBe(paths[0]);
    proxy.answerAll(null);
    await retry();
    expect(await blobs.get(paths[0]!)).toEqual(aNote("one").pdfBytes);
    expect(await blobs.get(paths[1]!)).toEqual(aNote("two").pdfBytes);
  });

  it("a name taken meanwhile by other bytes leads to the final path, and both are kept [H-19]", async () => {
    const promisedPath = await defer(aNote("one"));
    proxy.answerAll(null);
    await archiveProcessedPdf({ blobs, clock }, aNote("two"));
    const { completed } = await retry();
    expect(completed[0]).toMatchObject({ promisedPath });
    expect(completed[0]!.path).not.toBe(promisedPath);
    expect(await blobs.get(promisedPath)).toEqual(aNote("two").pdfBytes);
    expect(await blobs.get(completed[0]!.path)).toEqual(aNote("one").pdfBytes);
  });

  it("one document of two mails completes the paths of both", async () => {
    await defer(aNote("one"), "message-1");
    await defer(aNote("one"), "message-2");
    proxy.answerAll(null);
    const { completed } = await retry();
    expect(completed.map((done) => done.subjectId).sort()).toEqual(["message-1", "message-2"]);
    expect(new Set(completed.map((done) => done.path)).size).toBe(1);
  });

  it("four workers that retry at once complete each document once", async () => {
    for (let n = 0; n < 12; n += 1)
      await defer(aNote(`${n}`, { uniqueId: `${n}` }), `message-${n}`);
    proxy.answerAll(null);
    const sentBefore = proxy.count("POST");
    const rounds = await Promise.all([retry(), retry(), retry(), retry()]);
    expect(proxy.count("POST") - sentBefore).toBe(12);
    const subjects = rounds.flatMap((round) => round.completed.map((done) => done.subjectId));
    expect(subjects).toHaveLength(12);
    expect(new Set(subjects).size).toBe(12);
  });

  it("a row that another worker is taking is skipped without waiting", async () => {
    await defer(aNote("one", { uniqueId: "1" }), "message-1");
    await defer(aNote("two", { uniqueId: "2" }), "message-2");
    await database.transaction(async (other) => {
      const held = await takeDuePending(other, 60_000);
      const taken = await takeDuePending(database, 60_000);
      expect([held!.subjectId, taken!.subjectId]).toEqual(["message-1", "message-2"]);
      expect(await takeDuePending(database, 60_000)).toBeNull();
    });
  });

  it("a worker that was overtaken while it wrote completes nothing twice", async () => {
    const path = await defer(aNote("one"));
    proxy.answerAll(null);
    const seen: string[] = [];
    const onStored: RetryOptions["onStored"] = async (_tx, stored) => void seen.push(stored.path);
    const overtaken: BlobStore = {
      ...blobs,
      async put(blob) {
        await makeDue();
        await retry({ onStored });
        return blobs.put(blob);
      },
    };
    const needs = { database, files, blobs: overtaken, random, log };
    expect(await retryPendingArchives(needs, { onStored })).toEqual({ completed: [], failed: 0 });
    expect(seen).toEqual([path]);
  });

  it("a write whose answer was lost is completed by the next round, as one object [H-19]", async () => {
    const path = await defer(aNote("one"));
    proxy.answerAll(null);
    proxy.loseNextAnswer("POST");
    await retry();
    await makeDue();
    await retry();
    expect(await countPendingArchives(database)).toMatchObject({ count: 0 });
    const listed: string[] = [];
    for await (const found of blobs.list("archive/")) listed.push(found);
    expect(listed).toEqual([path]);
  });

  it("bytes that are missing from the spool are reported and do not block other documents", async () => {
    await defer(aNote("one", { uniqueId: "1" }));
    const second = await defer(aNote("two", { uniqueId: "2" }));
    await files.removeUnused(sha256Hex(aNote("one").pdfBytes), NEVER);
    proxy.answerAll(null);
    const round = await retry();
    expect(round.failed).toBe(1);
    expect(round.completed.map((done) => done.path)).toEqual([second]);
    const [left] = await findPendingArchives(database);
    expect(left!.lastError).toContain("spool.missing");
  });

  it("no path is promised if the spool cannot take the bytes [H-19] [R37]", async () => {
    const large = aNote("x".repeat(200_000));
    await withFileSizeMax(64 * 1024, async () => {
      await expect(defer(large)).rejects.toMatchObject({ code: "store.full" });
    });
    expect(await countPendingArchives(database)).toMatchObject({ count: 0 });
  });

  it("is archived when a full disk has room again [R37] [H-19]", async () => {
    const disk = { kind: "disk", folder: join(folder, "archive") } as const;
    blobs = await openBlobStore({ clock, random }, disk);
    const large = aNote("x".repeat(200_000));
    const path = await defer(large);
    await withFileSizeMax(64 * 1024, async () => {
      expect(await retry()).toEqual({ completed: [], failed: 1 });
      expect(await blobs.get(path)).toBeNull();
      expect((await findPendingArchives(database))[0]!.lastError).toContain("store.full");
    });
    await makeDue();
    expect((await retry()).completed).toHaveLength(1);
    expect((await blobs.get(path))!.equals(large.pdfBytes)).toBe(true);
  });

  it("a hostile sender can be promised a path too", async () => {
    const path = await defer(aNote("one", { senderEmail: "a\0\ud800@x.com" }), null);
    proxy.answerAll(null);
    await retry();
    expect((await blobs.head(path))!.metadata["sender-email"]).toBe("a\ufffd\ufffd@x.com");
  });
});

function aNote(
  text: string,
  change: Partial<ArchiveRequest> = {},
): ArchiveRequest & { pdfBytes: Buffer } {
  return {
    senderEmail: "john.doe@company.com",
    receivedDate: new Date("2026-03-01T09:00:00Z"),
    uniqueId: "f7440dd9d00cd8ef",
    filename: "note.pdf",
    source: "graph_webhook",
    ...change,
    pdfBytes: Buffer.from(`%PDF-1.7\n${text}\n%%EOF\n`),
  };
}
