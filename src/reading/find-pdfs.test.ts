import { deflateRawSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { type AttachmentFacts, findPdfs } from "./find-pdfs.ts";
import { createSandboxPool } from "./sandbox-pool.ts";

const pool = createSandboxPool({ clock: systemClock, size: 1 });
afterAll(() => pool.close());

const pdf = (text: string) => Buffer.from(`%PDF-1.4\n% ${text}\n%%EOF`);

type Sent = Partial<AttachmentFacts> & { bytes: Uint8Array };

/** A mailbox with one message that has these attachments. */
async function find(...sent: Sent[]) {
  const list = sent.map((one, index): AttachmentFacts & { bytes: Uint8Array } => ({
    id: `a${index}`,
    name: "note.pdf",
    contentType: "application/pdf",
    size: one.bytes.length,
    isInline: false,
    kind: "file",
    ...one,
  }));
  const source = {
    listAttachments: async () => list.map(({ bytes: _, ...facts }) => facts),
    download: async (_message: string, id: string) => {
      const one = list.find((attachment) => attachment.id === id)!;
      if (one.kind === "reference") throw new Error("405: a reference has no value");
      return one.bytes;
    },
  };
  return findPdfs({ source, pool }, "m1");
}

interface Part {
  type?: string;
  name?: string;
  body: Uint8Array;
}

function aMail(subject: string, ...parts: Part[]): Buffer {
  const head = `From: a@example.test\r\nTo: b@example.test\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b-${subject}"\r\n\r\n`;
  const text = `--b-${subject}\r\nContent-Type: text/plain\r\n\r\nSee attached.\r\n`;
  const bodies = parts.map(({ type = "application/octet-stream", name = "file", body }) => {
    const open = `--b-${subject}\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n`;
    const isMail = type === "message/rfc822";
    const encoded = isMail
      ? Buffer.from(body).toString("latin1")
      : Buffer.from(body).toString("base64");
    return `${open}Content-Transfer-Encoding: ${isMail ? "8bit" : "base64"}\r\n\r\n${encoded}\r\n`;
  });
  return Buffer.from(`${head}${text}${bodies.join("")}--b-${subject}--\r\n`, "latin1");
}

describe("finding the PDFs of a message", () => {
  it("depends on content: a PDF with any name or type is found, another file called .pdf is not [ING-10] [H-18]", async () => {
    const { pdfs, notTaken } = await find(
      { name: "statement.dat", contentType: "application/octet-stream", bytes: pdf("one") },
      { name: "trojan.pdf", bytes: Buffer.from("MZ...") },
    );
    expect(pdfs.map((one) => one.name)).toEqual(["statement.dat.pdf"]);
    expect(notTaken).toMatchObject([
      { attachmentId: "a1", name: "trojan.pdf", reason: "not-a-pdf" },
    ]);
  });

  it("includes inline PDFs", async () => {
    const { pdfs } = await find({ isInline: true, bytes: pdf("inline") });
    expect(pdfs).toMatchObject([{ isInline: true, inside: [] }]);
  });

  it("keeps two files with the same name apart", async () => {
    const { pdfs } = await find(
      { bytes: pdf("one") },
      { bytes: pdf("two") },
      { name: "NOTE.PDF", bytes: pdf("three") },
    );
    expect(new Set(pdfs.map((one) => one.name.toLowerCase())).size).toBe(3);
    expect(new Set(pdfs.map((one) => one.sha256)).size).toBe(3);
  });

  it("finds a PDF in a mail inside an attached mail, and reports a link to a file [R26]", async () => {
    const inner = aMail("inner", { name: "deep.pdf", body: pdf("deep") });
    const outer = aMail(
      "outer",
      { type: "message/rfc822", name: "fwd.eml", body: inner },
      { name: "cat.png", body: Buffer.from("png") },
    );
    const { pdfs, notTaken } = await find(
      { kind: "item", name: "Fwd: notes", contentType: null, bytes: outer },
      { kind: "reference", name: "on the drive", bytes: Buffer.from("link") },
    );
    expect(pdfs).toMatchObject([
      { name: "deep.pdf", attachmentId: "a0", inside: ["outer", "inner"] },
    ]);
    expect(Buffer.from(pdfs[0]!.bytes).equals(pdf("deep"))).toBe(true);
    expect(notTaken).toMatchObject([
      { name: "cat.png", reason: "not-a-pdf" },
      { name: "on the drive", reason: "reference" },
    ]);
  });

  it("opens a mail that was attached as a file, however its type or name is written", async () => {
    const bytes = aMail("dragged", { name: "note.pdf", body: pdf("x") });
    for (const [contentType, name] of [
      ["message/rfc822", "A message"],
      ["Message/RFC822; charset=utf-8", "A message"],
      ["application/octet-stream", "A message.EML "],
    ] as const) {
      const { pdfs } = await find({ name, contentType, bytes });
      expect([contentType, pdfs.map((one) => one.inside)]).toEqual([contentType, [["dragged"]]]);
    }
  });

  it("opens a mail that was attached as a file with the name of one", async () => {
    const mail = aMail("dragged", { name: "note.pdf", body: pdf("x") });
    const { pdfs } = await find({
      name: "Message.eml",
      contentType: "application/octet-stream",
      bytes: mail,
    });
    expect(pdfs).toMatchObject([{ name: "note.pdf", inside: ["dragged"] }]);
  });

  it("gives reasons for empty and oversized files, and does not download the latter", async () => {
    const { notTaken } = await find(
      { name: "empty.pdf", bytes: Buffer.alloc(0) },
      { name: "huge.pdf", size: 80 * 2 ** 20, kind: "file", bytes: Buffer.alloc(0) },
    );
    expect(notTaken.map((one) => one.reason)).toEqual(["empty", "too-large"]);
  });

  it("stops at mails that are nested too deep, and reports it", async () => {
    let mail = aMail("m9", { name: "far.pdf", body: pdf("far") });
    for (let depth = 8; depth >= 0; depth--) {
      mail = aMail(`m${depth}`, { type: "message/rfc822", name: "next.eml", body: mail });
    }
    const { pdfs, notTaken } = await find({ kind: "item", bytes: mail });
    expect(pdfs).toEqual([]);
    expect(notTaken).toMatchObject([{ reason: "too-deep" }]);
  });

  it("a mail made to keep its parser busy ends with a reason, and the good file beside it is taken [R25] [S58]", async () => {
    const header = `To: ${"(a".repeat(140_000)} x@example.test\r\nSubject: s\r\n\r\nbody`;
    const { pdfs, notTaken } = await find(
      { kind: "item", name: "slow mail", bytes: Buffer.from(header) },
      { bytes: pdf("good") },
    );
    expect(pdfs).toHaveLength(1);
    expect(notTaken).toHaveLength(1);
    expect(["damaged-mail", "unreadable-mail"]).toContain(notTaken[0]!.reason);
  });

  it("a mail of a thousand parts inside each other ends with a reason [S58]", async () => {
    const open = (n: number) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`;
    const nest = Array.from({ length: 1_000 }, (_, n) => open(n)).join("");
    const mail = `Subject: deep\r\n${nest}Content-Type: application/pdf; name=a.pdf\r\n\r\n%PDF-1.4`;
    const { pdfs, notTaken } = await find({ kind: "item", bytes: Buffer.from(mail) });
    expect(pdfs).toEqual([]);
    expect(notTaken).toMatchObject([{ reason: "damaged-mail" }]);
  });

  it("a zip or an Office file is never opened, whatever it would unpack to or is called [S59]", async () => {
    const startedBefore = pool.stats().started;
    const filler = deflateRawSync(Buffer.alloc(50 * 2 ** 20));
    const bomb = Buffer.concat([
      Buffer.from("PK\u0003\u0004\u0014\0\0\0\u0008\0", "latin1"),
      filler,
    ]);
    const names = ["bomb.zip", "bomb.docx", "bomb.xlsx", "bomb.pdf"];
    const { pdfs, notTaken } = await find(...names.map((name) => ({ name, bytes: bomb })));
    expect(pdfs).toEqual([]);
    expect(notTaken.map(({ name, reason }) => [name, reason])).toEqual(
      names.map((name) => [name, "not-a-pdf"]),
    );
    expect(pool.stats().started).toBe(startedBefore);
  });

  it("a mail with a hundred thousand parts is truncated [S58]", async () => {
    const parts = Array.from(
      { length: 100_000 },
      () => "--b\r\nContent-Type: image/png\r\n\r\nx\r\n",
    ).join("");
    const mail = `Subject: many\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--\r\n`;
    const { notTaken } = await find({ kind: "item", bytes: Buffer.from(mail) });
    expect(notTaken.length).toBeLessThanOrEqual(201);
    expect(["too-many", "unreadable-mail", "damaged-mail"]).toContain(notTaken.at(-1)!.reason);
  });
});
