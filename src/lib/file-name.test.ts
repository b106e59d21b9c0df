import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ARCHIVE_NAMES, pdfFileName, safeFileName } from "./file-name.ts";

const inArchive = (name: string) => safeFileName(name, ARCHIVE_NAMES);

describe("a name in the archive", () => {
  it("loses every extension .pdf, so that one can be added again [ARC-13]", () => {
    for (const name of [
      "note",
      "note.pdf",
      "note.PDF",
      "note.pdf.pdf",
      "note.pdf..pdf ",
      "note .pdf. ",
    ]) {
      expect(inArchive(name)).toBe("note");
    }
    expect(inArchive("note.pdf.exe")).toBe("note.pdf.exe");
  });

  it("cannot leave its folder [ARC-13]", () => {
    const expected: [string, string][] = [
      ["../../etc/passwd", "passwd"],
      ["..\\..\\windows\\system.ini.pdf", "system.ini"],
      ["\\\\server\\share\\note.pdf", "note"],
      ["C:\\temp\\note.pdf", "note"],
      ["C:note.pdf", "C_note"],
      ["%2e%2e%2fnote.pdf", "_2e_2e_2fnote"],
      ["%252e%252e%252f", "_252e_252e_252f"],
      ["note.pdf\0.exe", "note.pdf.exe"],
      ["/", "document"],
      ["..", "document"],
      [".pdf", "document"],
      ["", "document"],
      ["a/..", "a"],
    ];
    for (const [name, safe] of expected) expect(inArchive(name)).toBe(safe);
  });

  it("contains nothing invisible and nothing that reverses the reading direction [ARC-13]", () => {
    expect(inArchive("invoice\u202efdp.exe")).toBe("invoicefdp.exe");
    expect(inArchive("no\u200bte\r\n.pdf")).toBe("note");
    expect(inArchive("a\ud800b.pdf")).toBe("a_b");
  });

  it("keeps letters of every script, composed", () => {
    expect(inArchive("U\u0308bersicht 株式.pdf")).toBe("Übersicht 株式");
  });

  it("that an operating system reserves gets an underscore in front [ARC-13]", () => {
    expect(["CON", "nul.pdf", "lpt1.x.pdf"].map(inArchive)).toEqual(["_CON", "_nul", "_lpt1.x"]);
    expect(inArchive("console.pdf")).toBe("console");
    expect(Buffer.byteLength(inArchive(`con.${"a".repeat(200)}`))).toBe(150);
  });

  it("is one plain part of at most 150 bytes, whatever it was [ARC-13]", () => {
    const unit = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      fc.constantFrom("/", "\\", "..", ".pdf", " ", "\ud800", "%", "\u202e", "CON"),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 120 }), (name) => {
        const safe = inArchive(name);
        expect(safe).not.toMatch(/[/\\:*?"<>|#%[\]\u0000-\u001f\u202e]/);
        expect(safe).not.toMatch(/^[.\s]|[.\s]$|^$|\.pdf$/i);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(150);
        expect(Buffer.from(safe).toString()).toBe(safe);
      }),
      { numRuns: 1_000 },
    );
  });

  it("of ten thousand characters is truncated and takes no longer than a short one", () => {
    for (const text of ["a", "é", " ", ".", ".pdf", "😀"]) {
      expect(Buffer.byteLength(inArchive(text.repeat(10_000)))).toBeLessThanOrEqual(150);
    }
  });
});

describe("a name on a drive", () => {
  it.each([
    ["../../etc/passwd", "passwd"],
    ["..\\..\\boot.ini", "boot.ini"],
    ["C:\\notes\\a.pdf", "a.pdf"],
    ["%2e%2e%2fsecret", "_2e_2e_2fsecret"],
    ["..", "document"],
    ["notes/", "notes"],
    ["", "document"],
    ["  \u0000 ", "document"],
    ["CON", "_CON"],
    ["nul.pdf", "_nul.pdf"],
    ["note.pdf. .", "note.pdf"],
    ["in\u202efdp.exe", "infdp.exe"],
    ["a\r\nb.pdf", "ab.pdf"],
    ["e\u0301t\u00e9.pdf", "\u00e9t\u00e9.pdf"],
    ["~$draft.pdf", "$draft.pdf"],
  ])("%j becomes %j", (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  it("of a hundred thousand characters is truncated before anything searches it, and keeps its extension", () => {
    for (const text of ["a", "é", " ", ".", "😀", "\u200b"])
      expect(Buffer.byteLength(safeFileName(`${text.repeat(100_000)}x.pdf`))).toBeLessThanOrEqual(
        255,
      );
    expect(safeFileName(`${"a".repeat(100_000)}.docx`)).toMatch(/^a{250}\.docx$/u);
  });

  it("that is truncated does not end with a dot", () => {
    expect(safeFileName(`${"a".repeat(254)}..${"b".repeat(20)}`)).toBe("a".repeat(254));
  });

  it("ends with .pdf exactly once [ARC-13]", () => {
    expect(pdfFileName("note")).toBe("note.pdf");
    expect(pdfFileName("note.PDF.pdf")).toBe("note.pdf");
    expect(pdfFileName(".pdf")).toBe("document.pdf");
  });

  it("never leaves its folder, never grows past 255 bytes, and is stable, whatever the name [ARC-13]", () => {
    const names = fc.oneof(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc.string({ maxLength: 400 }),
    );
    fc.assert(
      fc.property(names, (name) => {
        const safe = pdfFileName(name);
        expect(safe).not.toMatch(/[/\\\u0000-\u001f:*?"<>|#%]/u);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(255);
        expect(safe).toMatch(/[^.]\.pdf$/u);
        expect(pdfFileName(safe)).toBe(safe);
      }),
      { numRuns: 500 },
    );
  });
});
