import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BlobStore } from "../files/blob-store.ts";
import { openBlobStore } from "../files/open-blob-store.ts";
import { createManualClock } from "../lib/clock.ts";
import { sha256Hex } from "../lib/hash.ts";
import { systemRandom } from "../lib/random.ts";
import { ARCHIVE_SOURCES, type ArchiveRequest, archiveProcessedPdf } from "./archive-pdf.ts";
import { originOfMessage, originOfPolled, originOfUpload } from "./archive-source.ts";

const random = systemRandom;
const pdf = (text: string) => Buffer.from(`%PDF-1.7\n${text}\n%%EOF\n`);

describe("the archive", () => {
  const clock = createManualClock(Date.parse("2026-03-02T10:00:00Z"));
  let folder: string;
  let blobs: BlobStore;
  const archive = (request: ArchiveRequest) => archiveProcessedPdf({ blobs, clock }, request);
  const ofMail = (change: Partial<ArchiveRequest> = {}): ArchiveRequest => ({
    ...originOfMessage(
      { random },
      {
        id: "AAMkAGUwNjQ4ZjIxAAA=",
        from: "john.doe@company.com",
        receivedDateTime: "2026-03-01T23:30:00Z",
      },
    ),
    filename: "note.pdf",
    pdfBytes: pdf("one"),
    ...change,
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "postroom-archive-"));
    blobs = await openBlobStore({ clock, random }, { kind: "disk", folder });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("stores a PDF of a mail under its sender, day and hashed id [ARC-01] [ARC-02] [ARC-06]", async () => {
    const path = await archive(ofMail());
    expect(path).toBe(
      "archive/sender_email=john%2Edoe%40company%2Ecom/received_date=2026-03-01/" +
        "f7440dd9d00cd8ef/note.pdf",
    );
    expect(await blobs.get(path)).toEqual(pdf("one"));
  });

  it("a mail's trade key replaces the hash [ARC-04] [ARC-06] [ARC-12]", async () => {
    const tradeKey = "jdoe-2026-03-01-VOD-BUY-100";
    const message = { id: "m", from: "a@b.co", receivedDateTime: "2026-03-01T00:00:00Z", tradeKey };
    const path = await archive({ ...ofMail(), ...originOfMessage({ random }, message) });
    expect(path).toContain(`/${tradeKey}/`);
    expect((await blobs.head(path))!.metadata["trade-key"]).toBe(tradeKey);
  });

  it("a person's upload needs no mail at all [ARC-07] [ARC-15]", async () => {
    const tradeKey = "jdoe-2026-03-02-VOD-SELL-5";
    const origin = originOfUpload({ clock, random }, { userEmail: "jane@company.com", tradeKey });
    const path = await archive({ ...origin, filename: "scan.pdf", pdfBytes: pdf("scan") });
    expect(path).toBe(
      `archive/sender_email=jane%40company%2Ecom/received_date=2026-03-02/${tradeKey}/scan.pdf`,
    );
    expect((await blobs.head(path))!.metadata["source"]).toBe("manual_upload");
  });

  it("a polled object keeps the sender and day of its folder and its generation [ARC-08]", async () => {
    const inbox = "inbox/sender_email=a%2Eb%40c%2Eco/received_date=2026-02-03/x.pdf";
    const origin = originOfPolled({ path: inbox, generation: "1700000000000001" })!;
    const path = await archive({ ...origin, filename: "x.pdf", pdfBytes: pdf("polled") });
    expect(path).toBe(
      "archive/sender_email=a%2Eb%40c%2Eco/received_date=2026-02-03/1700000000000001/x.pdf",
    );
  });

  it("a polled object outside such a folder needs metadata [ARC-08]", () => {
    const metadata = { "sender-email": "a@b.co", "received-date": "2026-02-03" };
    expect(originOfPolled({ path: "in/x.pdf", generation: "7", metadata })).toMatchObject({
      senderEmail: "a@b.co",
      uniqueId: "7",
      source: "poller",
    });
    expect(originOfPolled({ path: "in/x.pdf", generation: "7" })).toBeNull();
  });

  it("three sources share one form and differ in their metadata [ARC-02] [ARC-05] [ARC-10]", async () => {
    for (const source of ARCHIVE_SOURCES) {
      const path = await archive(ofMail({ source, pdfBytes: pdf(source) }));
      expect(path).toMatch(
        /^archive\/sender_email=[^/]+\/received_date=2026-03-01\/[^/]+\/[^/]+\.pdf$/,
      );
      expect((await blobs.head(path))!.metadata["source"]).toBe(source);
    }
  });

  it("metadata contains the sender as written, the time, and a trade key only if there is one [ARC-09] [ARC-11] [ARC-12]", async () => {
    const path = await archive(ofMail({ senderEmail: "josé O'Brien@x.com" }));
    expect((await blobs.head(path))!.metadata).toEqual({
      "sender-email": "josé O'Brien@x.com",
      source: "graph_webhook",
      "processed-at": "2026-03-02T10:00:00.000Z",
    });
  });

  it("the same mail archived twice has one path and one object [ARC-14]", async () => {
    const first = await archive(ofMail());
    clock.advance(60_000);
    expect(await archive(ofMail())).toBe(first);
    expect((await blobs.head(first))!.metadata["processed-at"]).toBe("2026-03-02T10:00:00.000Z");
    expect(await allPaths()).toEqual([first]);
  });

  it("two attachments with the same name are two objects, in whatever order they come again [ARC-14] [S50] [S51]", async () => {
    const [one, two] = [ofMail(), ofMail({ pdfBytes: pdf("two") })];
    const paths = [await archive(one), await archive(two)];
    expect(paths[1]).toBe(paths[0]!.replace(".pdf", `-${sha256Hex(two.pdfBytes).slice(0, 8)}.pdf`));
    expect([await archive(two), await archive(one)]).toEqual([paths[1], paths[0]]);
    expect(await blobs.get(paths[0]!)).toEqual(pdf("one"));
    expect(await blobs.get(paths[1]!)).toEqual(pdf("two"));
    expect(await allPaths()).toHaveLength(2);
  });

  it("fifty workers that archive one document leave one object [ARC-14]", async () => {
    const paths = await Promise.all(Array.from({ length: 50 }, () => archive(ofMail())));
    expect(new Set(paths).size).toBe(1);
    expect(await allPaths()).toHaveLength(1);
  });

  it("bytes that were decoded twice, truncated or swapped are refused [R46]", async () => {
    const whole = pdf("one");
    const twice = Buffer.from(whole.toString("latin1"), "base64");
    const sha256 = sha256Hex(whole);
    for (const pdfBytes of [twice, Buffer.alloc(0), Buffer.from("MZ\x90")]) {
      await expect(archive(ofMail({ pdfBytes }))).rejects.toMatchObject({ code: "pdf.damaged" });
    }
    const cut = ofMail({ pdfBytes: whole.subarray(0, 12), sha256 });
    await expect(archive(cut)).rejects.toMatchObject({ code: "pdf.damaged" });
    expect(await allPaths()).toEqual([]);
    expect(await archive(ofMail({ sha256 }))).toMatch(/note\.pdf$/);
  });

  async function allPaths(): Promise<string[]> {
    const paths: string[] = [];
    for await (const path of blobs.list("archive/")) paths.push(path);
    return paths;
  }
});
