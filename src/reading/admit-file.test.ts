import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pdfFileName, safeFileName } from "../lib/file-name.ts";
import { admitPdf } from "./admit-file.ts";

const pdf = Buffer.from("%PDF-1.4\n%%EOF");

describe("admitting a file", () => {
  it("goes by the content and not by the name [H-18]", () => {
    expect(admitPdf("note.txt", pdf)).toMatchObject({ ok: true, file: { name: "note.txt.pdf" } });
    expect(admitPdf("note.pdf", Buffer.from("MZ"))).toMatchObject({
      ok: false,
      reason: "not-a-pdf",
    });
  });

  it("finds the header anywhere in the first 1,024 bytes, and not after", () => {
    const following = (count: number) => Buffer.concat([Buffer.alloc(count, " "), pdf]);
    expect(admitPdf("a", following(1019)).ok).toBe(true);
    expect(admitPdf("a", following(1020)).ok).toBe(false);
  });

  it("says which limit was broken", () => {
    expect(admitPdf("a", Buffer.alloc(0))).toMatchObject({ reason: "empty" });
    expect(admitPdf("a", Buffer.alloc(11), 10)).toMatchObject({ reason: "too-large" });
  });

  it("knows the file by the hash of its bytes", () => {
    const one = admitPdf("a.pdf", pdf);
    const two = admitPdf("b.pdf", Buffer.from(pdf));
    if (!one.ok || !two.ok) throw new Error("both are good");
    expect(one.file.sha256).toBe(two.file.sha256);
    expect(one.file.sha256).toMatch(/^[0-9a-f]{64}$/u);
  });
});

describe("a safe file name", () => {
  it.each([
    ["../../etc/passwd", "passwd"],
    ["..\\..\\boot.ini", "boot.ini"],
    ["C:\\notes\\a.pdf", "a.pdf"],
    ["%2e%2e%2fsecret", "_2e_2e_2fsecret"],
    ["..", "document"],
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
