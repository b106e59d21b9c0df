import { describe, expect, it } from "vitest";
import { admitPdf } from "./admit-file.ts";

const pdf = Buffer.from("%PDF-1.4\n%%EOF");

describe("admitting a file", () => {
  it("depends on the content and not on the name [H-18]", () => {
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

  it("names the limit that was exceeded", () => {
    expect(admitPdf("a", Buffer.alloc(0))).toMatchObject({ reason: "empty" });
    expect(admitPdf("a", Buffer.alloc(11), 10)).toMatchObject({ reason: "too-large" });
  });

  it("identifies the file by the hash of its bytes", () => {
    const one = admitPdf("a.pdf", pdf);
    const two = admitPdf("b.pdf", Buffer.from(pdf));
    if (!one.ok || !two.ok) throw new Error("both are good");
    expect(one.file.sha256).toBe(two.file.sha256);
    expect(one.file.sha256).toMatch(/^[0-9a-f]{64}$/u);
  });
});
