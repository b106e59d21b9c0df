import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { strToU8, unzipSync, zipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";
import { makeMsg } from "../../tenant/content/files/msg-file.ts";
import {
  makeDocx,
  makeHtml,
  makePptx,
  makeRtf,
  makeXlsx,
} from "../../tenant/content/files/office-files.ts";
import { systemClock } from "../lib/clock.ts";
import { createPdfReader } from "./read-pdf.ts";
import { createTextReader, type TextResult } from "./read-text.ts";
import { createSandboxPool } from "./sandbox-pool.ts";

const pool = createSandboxPool({ clock: systemClock, size: 1 });
const reader = createTextReader({ pool, pdfs: createPdfReader({ clock: systemClock, pool }) });
afterAll(() => pool.close());

const prose = {
  title: "Lease of the Lyon office",
  paragraphs: ["The rent is 4,200 € a month.", "Café & Söhne <tenant> may end it by 31 March."],
};

const eml = (headers: string, body: string) => Buffer.from(`${headers}\r\n\r\n${body}`);

const MAIL = eml(
  'From: "Nina Berg" <nina@ashdown.example>\r\nTo: omar@ashdown.example\r\nSubject: =?utf-8?q?R=C3=BCckfrage?=\r\nContent-Type: multipart/mixed; boundary=b\r\nMIME-Version: 1.0',
  '--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>The <b>deposit</b> is due.</p><img src="http://evil.example/x.png"><script>alert(1)</script>\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: Earlier\r\nFrom: x@example.test\r\n\r\nThe first words.\r\n--b\r\nContent-Type: application/pdf; name="lease.pdf"\r\nContent-Disposition: attachment; filename="lease.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0=\r\n--b--\r\n',
);

async function pagesOf(name: string, bytes: Uint8Array) {
  const result = await reader.read(name, bytes);
  if (!result.ok) throw new Error(`${result.reason}: ${result.detail}`);
  return { kind: result.kind, pages: result.text.pages };
}

describe("the text of a file", () => {
  it.each([
    ["docx", "a.docx", makeDocx(prose)],
    ["rtf", "a.rtf", makeRtf(prose)],
    ["html", "a.html", makeHtml(prose)],
    ["txt", "a.txt", Buffer.from([prose.title, ...prose.paragraphs].join("\n"))],
  ])("of a %s file is read with its accents and signs [RAG-01]", async (kind, name, bytes) => {
    const read = await pagesOf(name, bytes);
    expect(read.kind).toBe(kind);
    const [page] = read.pages;
    expect(page).toMatchObject({ number: 1, label: null });
    for (const words of [prose.title, "4,200 €", "Café & Söhne <tenant>"])
      expect(page!.text).toContain(words);
  });

  it("of a workbook has a page for each sheet, with its name", async () => {
    const { pages } = await pagesOf(
      "book.xlsx",
      makeXlsx([
        {
          name: "Fees",
          rows: [
            ["Matter", "Fee"],
            ["Lyon", 4200.5],
          ],
        },
        { name: "Empty", rows: [] },
        { name: "Notes", rows: [["see Fees"]] },
      ]),
    );
    expect(pages.map(({ number, label, text }) => [number, label, text])).toEqual([
      [1, "Fees", "Matter | Fee\nLyon | 4200.5"],
      [3, "Notes", "see Fees"],
    ]);
  });

  it("of a presentation has a page for each slide", async () => {
    const { pages } = await pagesOf("deck.pptx", makePptx(["Title & aim\nSecond line", "The end"]));
    expect(pages.map(({ number, text }) => [number, text])).toEqual([
      [1, "Title & aim\nSecond line"],
      [2, "The end"],
    ]);
  });

  it("of a mail has its header fields, its visible body, the names of its files and the mails inside", async () => {
    const { kind, pages } = await pagesOf("no-ending", MAIL);
    expect(kind).toBe("eml");
    expect(pages).toHaveLength(2);
    expect(pages[0]!.text).toBe(
      "Subject: Rückfrage\nFrom: Nina Berg <nina@ashdown.example>\nTo: <omar@ashdown.example>\n\nThe deposit is due.\n\nAttached: lease.pdf",
    );
    expect(pages[1]).toMatchObject({ label: "Earlier" });
    expect(pages[1]!.text).toContain("The first words.");
  });

  it("of an Outlook message is read", async () => {
    const bytes = makeMsg({
      subject: "Kündigung",
      senderName: "Omar Haddad",
      senderAddress: "omar@ashdown.example",
      body: "We give notice.\r\nRegards",
    });
    const { kind, pages } = await pagesOf("mail.msg", bytes);
    expect(kind).toBe("msg");
    expect(pages[0]!.text).toContain("Subject: Kündigung");
    expect(pages[0]!.text).toContain("Omar Haddad <omar@ashdown.example>");
    expect(pages[0]!.text).toContain("We give notice.\nRegards");
  });

  it("of a table has a line for each row, whichever mark separates the cells", async () => {
    expect((await pagesOf("a.csv", Buffer.from('name;sum\n"A; B";2\n'))).pages[0]!.text).toBe(
      "name | sum\nA; B | 2",
    );
  });

  it("of an older program is decoded, and UTF-16 too", async () => {
    const western = Buffer.from("Gebühr für Müller", "latin1");
    expect((await pagesOf("a.txt", western)).pages[0]!.text).toBe("Gebühr für Müller");
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("wide text", "utf16le")]);
    expect((await pagesOf("b.txt", wide)).pages[0]!.text).toBe("wide text");
  });

  it("loses characters that nobody sees", async () => {
    expect(
      (await pagesOf("a.txt", Buffer.from("in\u200bvis\u202eible\u0007"))).pages[0]!.text,
    ).toBe("invisible");
  });
});

const reasonOf = (result: TextResult) => (result.ok ? "read" : result.reason);

describe("a hostile file", () => {
  it("that unpacks to gigabytes is refused before it is unpacked", async () => {
    const bomb = zipSync({
      "word/document.xml": new Uint8Array(150 * 2 ** 20),
      "[Content_Types].xml": strToU8("<Types/>"),
    });
    expect(bomb.length).toBeLessThan(2 ** 20);
    expect(reasonOf(await reader.read("bomb.docx", bomb))).toBe("too-large");
  });

  it("that lies about its size ends at the limits of the sandbox or as damaged", async () => {
    const bomb = Buffer.from(zipSync({ "xl/workbook.xml": new Uint8Array(280 * 2 ** 20) }));
    // The directory at the end says that the part has one byte.
    const at = bomb.lastIndexOf(Buffer.from("504b0102", "hex"));
    bomb.writeUInt32LE(1, at + 24);
    expect(["damaged", "memory", "timed-out"]).toContain(
      reasonOf(await reader.read("liar.xlsx", bomb)),
    );
  });

  it("with a million cells ends in a verdict", async () => {
    const rows = Array.from({ length: 10_000 }, (_, row) =>
      Array.from({ length: 100 }, (_, column) => row * column),
    );
    const sheet = makeXlsx([{ name: "Big", rows }]);
    expect(["too-large", "memory", "timed-out"]).toContain(
      reasonOf(await reader.read("big.xlsx", sheet)),
    );
  });

  it("with mails nested without end is read to the allowed depth, and says so", async () => {
    let mail = "Subject: m9\r\nFrom: a@b.test\r\n\r\nbottom";
    for (let depth = 8; depth >= 0; depth--)
      mail = `Subject: m${depth}\r\nFrom: a@b.test\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\nContent-Type: message/rfc822\r\n\r\n${mail}\r\n--b${depth}--\r\n`;
    const result = await reader.read("nested.eml", Buffer.from(mail));
    if (!result.ok) throw new Error(result.detail);
    expect(result.text.pages).toHaveLength(6);
    expect(result.text.omitted).toEqual(["a mail that is nested too deep"]);
  });

  it("that refers to other files and entities is read without them", async () => {
    const xml = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>safe &x; text</w:t></w:r></w:p></w:body></w:document>`;
    const file = zipSync({
      "[Content_Types].xml": strToU8(
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
      ),
      "_rels/.rels": strToU8(
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
      ),
      "word/document.xml": strToU8(xml),
    });
    const result = await reader.read("refers.docx", file);
    expect(JSON.stringify(result)).not.toContain("root:");
  });

  it("that names a template, a picture or a sheet on a server is read without asking that server", async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.end("fetched");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    const outside = (kind: string) =>
      strToU8(
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="http://127.0.0.1:${port}/x" TargetMode="External"/></Relationships>`,
      );
    const docx = zipSync({
      ...unzipSync(makeDocx(prose)),
      "word/_rels/document.xml.rels": outside("image"),
      "word/_rels/settings.xml.rels": outside("attachedTemplate"),
    });
    const xlsx = zipSync({
      ...unzipSync(makeXlsx([{ name: "One", rows: [["rent", 4_200]] }])),
      "xl/externalLinks/_rels/externalLink1.xml.rels": outside("externalLinkPath"),
    });
    const mail = eml(
      "From: a@b.test\r\nSubject: s\r\nContent-Type: text/html",
      `<link rel=stylesheet href="http://127.0.0.1:${port}/s"><img src="http://127.0.0.1:${port}/p">The rent.`,
    );
    for (const [name, bytes] of [
      ["a.docx", docx],
      ["a.xlsx", xlsx],
      ["a.eml", mail],
    ] as const) {
      const { pages } = await pagesOf(name, bytes);
      expect(pages[0]!.text).toContain("rent");
    }
    server.close();
    expect(asked).toBe(0);
  });

  it.each([
    ["empty", "a.docx", Buffer.alloc(0)],
    ["damaged", "a.docx", Buffer.from("PK\u0003\u0004 word/document.xml and nothing")],
    ["unsupported", "a.zip", Buffer.from("PK\u0003\u0004 something else")],
    ["unsupported", "a.exe", Buffer.from("MZ\u0000\u0001")],
    ["no-text", "a.txt", Buffer.from(" \n\t ")],
  ])("is %s", async (reason, name, bytes) => {
    expect(reasonOf(await reader.read(name, bytes))).toBe(reason);
  });
});
