import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toSafeFileName } from "./file-name.ts";

describe("a file name from outside", () => {
  it("loses every ending .pdf, so that one can be put back [ARC-13]", () => {
    for (const name of [
      "note",
      "note.pdf",
      "note.PDF",
      "note.pdf.pdf",
      "note.pdf..pdf ",
      "note .pdf. ",
    ]) {
      expect(toSafeFileName(name)).toBe("note");
    }
    expect(toSafeFileName("note.pdf.exe")).toBe("note.pdf.exe");
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
    for (const [name, safe] of expected) expect(toSafeFileName(name)).toBe(safe);
  });

  it("shows what it is: nothing invisible, nothing that turns the writing round [ARC-13]", () => {
    expect(toSafeFileName("invoice\u202efdp.exe")).toBe("invoicefdp.exe");
    expect(toSafeFileName("no\u200bte\r\n.pdf")).toBe("note");
    expect(toSafeFileName("a\ud800b.pdf")).toBe("a_b");
  });

  it("keeps letters of every script, composed", () => {
    expect(toSafeFileName("U\u0308bersicht 株式.pdf")).toBe("Übersicht 株式");
  });

  it("that a system keeps for itself is marked [ARC-13]", () => {
    expect(["CON", "nul.pdf", "lpt1.x.pdf"].map(toSafeFileName)).toEqual([
      "_CON",
      "_nul",
      "_lpt1.x",
    ]);
    expect(toSafeFileName("console.pdf")).toBe("console");
  });

  it("is one plain part of at most 151 bytes, whatever it was [ARC-13]", () => {
    const unit = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      fc.constantFrom("/", "\\", "..", ".pdf", " ", "\ud800", "%", "\u202e", "CON"),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 120 }), (name) => {
        const safe = toSafeFileName(name);
        expect(safe).not.toMatch(/[/\\:*?"<>|#%[\]\u0000-\u001f\u202e]/);
        expect(safe).not.toMatch(/^[.\s]|[.\s]$|^$|\.pdf$/i);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(151);
        expect(Buffer.from(safe).toString()).toBe(safe);
      }),
      { numRuns: 1_000 },
    );
  });

  it("of ten thousand characters is cut and costs no more than a short one", () => {
    for (const text of ["a", "é", " ", ".", ".pdf", "😀"]) {
      expect(Buffer.byteLength(toSafeFileName(text.repeat(10_000)))).toBeLessThanOrEqual(151);
    }
  });
});
