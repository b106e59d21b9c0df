import { execFileSync } from "node:child_process";
import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withFileSizeMax } from "../../test/files/file-size-max.ts";
import { createManualClock } from "../lib/clock.ts";
import { sha256Hex } from "../lib/hash.ts";
import { systemRandom } from "../lib/random.ts";
import { type EvidenceBundle, exportEvidence } from "./evidence.ts";
import { type Manifest, manifestText } from "./evidence-manifest.ts";
import { verifyEvidence } from "./verify-evidence.ts";

const needs = {
  clock: createManualClock(Date.parse("2026-03-02T10:00:00Z")),
  random: systemRandom,
};

describe("evidence", () => {
  let root: string;
  let folder: string;
  let head: string;
  const at = (path: string) => join(folder, path);
  const verify = () => verifyEvidence(folder);
  const problems = async () => (await verify()).problems;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "postroom-evidence-"));
    folder = join(root, "case-17");
    head = (await exportEvidence(needs, aBundle(), folder)).head;
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it("holds the raw mail, the PDF, the extraction, decisions, rows and trades", async () => {
    expect((await allFiles(folder)).sort()).toEqual([
      "SHA256SUMS",
      "decisions.jsonl",
      "documents/001.pdf",
      "events.jsonl",
      "extractions/001.json",
      "manifest.json",
      "messages/001.eml",
      "notifications.jsonl",
      "trades.csv",
      "trades.json",
    ]);
    expect(await readFile(at("messages/001.eml"))).toEqual(aBundle().messages[0]!.eml);
    expect(await readFile(at("documents/001.pdf"))).toEqual(aBundle().documents[0]!.bytes);
    expect(JSON.parse(await readFile(at("trades.json"), "utf8"))[0].quantity).toBe("100");
  });

  it("verifies offline as it was written", async () => {
    expect(await verify()).toEqual({ isIntact: true, head, fileCount: 8, problems: [] });
  });

  it("verifies with the tools of every Linux machine too", () => {
    const said = execFileSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: folder }).toString();
    expect(said.match(/: OK$/gm)).toHaveLength(9);
  });

  it("of the same bundle at the same time is the same to the byte", async () => {
    const second = await exportEvidence(needs, aBundle(), join(root, "again"));
    expect(second.head).toBe(head);
    expect(await readFile(join(root, "again/manifest.json"))).toEqual(
      await readFile(at("manifest.json")),
    );
  });

  it("names the file and the bytes of any one changed byte", async () => {
    const files = (await allFiles(folder)).sort();
    const originals = new Map<string, Buffer>();
    for (const file of files) originals.set(file, await readFile(at(file)));
    const anyByte = fc.constantFrom(...files).chain((file) =>
      fc.record({
        file: fc.constant(file),
        position: fc.nat(originals.get(file)!.length - 1),
        flip: fc.integer({ min: 1, max: 255 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(anyByte, async ({ file, position, flip }) => {
        const changed = Buffer.from(originals.get(file)!);
        changed[position]! ^= flip;
        await writeFile(at(file), changed);
        const report = await verify();
        await writeFile(at(file), originals.get(file)!);
        expect(report.isIntact).toBe(false);
        const named = report.problems.filter((problem) => problem.path === file);
        expect(named.length).toBeGreaterThan(0);
        if (file === "manifest.json") return; // problems in the manifest name an entry, not a byte range
        const isInside = named.some((problem) =>
          problem.bytes?.some(({ first, last }) => first <= position && position <= last),
        );
        expect(isInside).toBe(true);
        const width = named[0]!.bytes!.reduce((sum, { first, last }) => sum + last - first + 1, 0);
        expect(width).toBeLessThanOrEqual(256);
      }),
      { numRuns: 150 },
    );
    expect((await verify()).isIntact).toBe(true);
  });

  it("names what was removed from or added to the end of a file", async () => {
    const pdf = await readFile(at("documents/001.pdf"));
    await writeFile(at("documents/001.pdf"), pdf.subarray(0, 1_000));
    expect(await problems()).toMatchObject([
      { kind: "changed", path: "documents/001.pdf", bytes: [{ first: 768, last: pdf.length - 1 }] },
    ]);
    await writeFile(at("documents/001.pdf"), pdf);
    await appendFile(at("decisions.jsonl"), "{}\n");
    const [found] = await problems();
    expect(found!.path).toBe("decisions.jsonl");
    expect(found!.message).toContain("instead of");
  });

  it("names a missing file, an extra file, and two files that were swapped", async () => {
    await rm(at("messages/001.eml"));
    await writeFile(at("note.txt"), "x");
    await rename(at("trades.csv"), at("swap"));
    await rename(at("trades.json"), at("trades.csv"));
    await rename(at("swap"), at("trades.json"));
    expect((await problems()).map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      "changed trades.csv",
      "changed trades.json",
      "extra note.txt",
      "missing messages/001.eml",
    ]);
  });

  it("follows no link, into the folder or out of it", async () => {
    await copyFile(at("trades.csv"), join(root, "elsewhere"));
    await rm(at("trades.csv"));
    await symlink(join(root, "elsewhere"), at("trades.csv"));
    expect((await problems()).map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      "extra trades.csv",
      "missing trades.csv",
    ]);
  });

  it("names the manifest entry that was changed, removed, added or moved", async () => {
    const manifest = JSON.parse(await readFile(at("manifest.json"), "utf8")) as Manifest;
    const [one, two, three, ...rest] = manifest.entries;
    const cases: [Manifest, string][] = [
      [
        { ...manifest, entries: [one!, { ...two!, about: { documentId: "x" } }, three!, ...rest] },
        "changed: entry 2 (documents/001.pdf) was changed",
      ],
      [{ ...manifest, entries: [one!, three!, ...rest] }, "missing: entry 2 is missing"],
      [{ ...manifest, entries: manifest.entries.slice(0, -1) }, "missing: entry 8 is missing"],
      [
        { ...manifest, entries: [one!, three!, two!, ...rest] },
        "reordered: entry 2 (documents/001.pdf) stands after entry 3",
      ],
      [
        { ...manifest, entries: [...manifest.entries, { ...one!, index: 9 }] },
        "extra: entry 9 (messages/001.eml) was added",
      ],
      [
        { ...manifest, header: { ...manifest.header, missing: [] } },
        "changed: the header was changed",
      ],
      [{ ...manifest, head: sha256Hex("x") }, "changed: the head does not fit the last entry"],
    ];
    for (const [changed, expected] of cases) {
      await writeFile(at("manifest.json"), manifestText(changed));
      const said = (await problems()).map(({ kind, message }) => `${kind}: ${message}`);
      expect(said).toContain(expected);
    }
  });

  it("locates a change in the manifest that does not change its meaning", async () => {
    const text = await readFile(at("manifest.json"), "utf8");
    await writeFile(at("manifest.json"), text.replace(": ", ":\t"));
    const place = text.indexOf(": ") + 1;
    expect(await problems()).toMatchObject([
      { kind: "changed", path: "manifest.json", bytes: [{ first: place, last: place }] },
    ]);
  });

  it("rebuilt completely is detected by a head that was kept elsewhere", async () => {
    await rm(folder, { recursive: true });
    await exportEvidence(needs, { ...aBundle(), decisions: [] }, folder);
    expect((await verify()).isIntact).toBe(true);
    const report = await verifyEvidence(folder, { expectedHead: head });
    expect(report.problems).toMatchObject([{ kind: "replaced", path: "manifest.json" }]);
  });

  it("is not intact if the manifest is missing, is not JSON, or points outside the folder", async () => {
    const text = await readFile(at("manifest.json"), "utf8");
    await writeFile(at("manifest.json"), text.replaceAll("documents/001.pdf", "../../etc/passwd"));
    expect(await problems()).toMatchObject([{ kind: "changed", path: "manifest.json" }]);
    await writeFile(at("manifest.json"), "{");
    expect(await problems()).toMatchObject([{ kind: "changed", path: "manifest.json" }]);
    await rm(at("manifest.json"));
    expect(await problems()).toMatchObject([{ kind: "missing", path: "manifest.json" }]);
  });

  it("is never written into a folder that is not empty", async () => {
    await expect(exportEvidence(needs, aBundle(), folder)).rejects.toMatchObject({
      code: "request.bad",
    });
    expect((await verify()).isIntact).toBe(true);
    await mkdir(join(root, "empty"));
    await exportEvidence(needs, aBundle(), join(root, "empty"));
    expect((await verifyEvidence(join(root, "empty"))).isIntact).toBe(true);
  });

  it("does not appear on a full disk, and appears complete when there is room", async () => {
    const large = aBundle(Buffer.alloc(300_000, "x"));
    const target = join(root, "full");
    await withFileSizeMax(64 * 1024, async () => {
      await expect(exportEvidence(needs, large, target)).rejects.toMatchObject({
        code: "store.full",
      });
    });
    expect((await readdir(root)).sort()).toEqual(["case-17"]);
    await exportEvidence(needs, large, target);
    expect((await verifyEvidence(target)).isIntact).toBe(true);
  });

  it("says what is missing and carries no secret and no formula", async () => {
    const texts = await Promise.all(
      (await allFiles(folder)).map((file) => readFile(at(file), "utf8")),
    );
    const all = texts.join("\n");
    expect(all).toContain("the mail of 2 March was deleted");
    expect(all).not.toContain("canary");
    const csv = await readFile(at("trades.csv"), "utf8");
    expect(csv).toContain('"\'=cmd()"');
    expect(csv).not.toMatch(/[{}[\]]/);
  });
});

function aBundle(padding: Buffer = Buffer.alloc(3_000, "y")): EvidenceBundle {
  return {
    subject: { kind: "message", id: "AAMkAGUwNjQ4ZjIxAAA=" },
    messages: [
      {
        messageId: "AAMkAGUwNjQ4ZjIxAAA=",
        mailbox: "desk@company.com",
        eml: Buffer.from("From: a@b.co\r\nSubject: note\r\n\r\nhello\r\n"),
      },
      { messageId: "gone", mailbox: null, eml: null },
    ],
    documents: [
      {
        documentId: "d1",
        filename: "Übersicht.pdf",
        archivePath: "archive/sender_email=a%40b%2Eco/received_date=2026-03-01/x/note.pdf",
        bytes: Buffer.concat([Buffer.from("%PDF-1.7\n"), padding, Buffer.from("\n%%EOF\n")]),
        extraction: {
          documentType: "contract_note",
          confidence: 0.93,
          trades: [{ isin: "GB00X" }],
        },
      },
    ],
    decisions: [{ at: new Date("2026-03-02T09:00:00Z"), who: "jane", what: "accept" }],
    trades: [{ key: "=cmd()", quantity: "100", price: "-1.25", fill: { page: 1 }, id: 12n }],
    notifications: [{ id: 1, clientState: "canary", client_secret: "canary", resource: "x" }],
    events: [
      { id: 1, kind: "created" },
      { id: 2, kind: "moved" },
    ],
    missing: [{ what: "raw mail", why: "the mail of 2 March was deleted" }],
  };
}

async function allFiles(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
