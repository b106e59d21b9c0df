import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../lib/hash.ts";
import { systemRandom } from "../lib/random.ts";
import {
  archivePath,
  chooseUniqueId,
  decodeHive,
  encodeHive,
  pathWithHash,
  readHivePath,
} from "./hive-path.ts";

const vectors = JSON.parse(
  readFileSync(new URL("../../test/files/hive-vectors.json", import.meta.url), "utf8"),
) as { everyCodePointSha256: string; pairs: [string, string][] };

const anyText = fc.string({ unit: "binary", maxLength: 60 });
const aDay = fc.date({
  min: new Date("1970-01-01T00:00:00Z"),
  max: new Date("2200-01-01T00:00:00Z"),
  noInvalidDate: true,
});

describe("the sender in a Hive path", () => {
  it("is encoded byte for byte as Python does, in thousands of recorded cases [ARC-03]", () => {
    expect(vectors.pairs.length).toBeGreaterThan(3_000);
    const wrong = vectors.pairs.filter(([value, encoded]) => encodeHive(value) !== encoded);
    expect(wrong).toEqual([]);
  });

  it("is encoded as Python does for every code point there is [ARC-03]", () => {
    const lines: string[] = [];
    for (let point = 0; point < 0x110000; point += 1) {
      const isSurrogate = point >= 0xd800 && point < 0xe000;
      if (!isSurrogate) lines.push(`${encodeHive(String.fromCodePoint(point))}\n`);
    }
    expect(sha256Hex(lines.join(""))).toBe(vectors.everyCodePointSha256);
  });

  it("of two concatenated texts is the concatenation of their encodings [ARC-03]", () => {
    // Together with the test of every code point, this covers every text.
    const wellFormed = fc.string({ unit: "binary", maxLength: 30 });
    fc.assert(
      fc.property(
        wellFormed,
        wellFormed,
        (a, b) => encodeHive(a + b) === encodeHive(a) + encodeHive(b),
      ),
      { numRuns: 1_000 },
    );
  });

  it("decodes to the original and contains no character with a meaning in a path [ARC-03] [ARC-13]", () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const encoded = encodeHive(value);
        expect(decodeHive(encoded)).toBe(value);
        expect(encoded).toMatch(/^(?:[A-Za-z0-9_~-]|%[0-9A-F]{2})*$/);
      }),
      { numRuns: 1_000 },
    );
  });

  it("with an unpaired surrogate is encoded as if it were U+FFFD", () => {
    expect(encodeHive("a\ud800b")).toBe("a%EF%BF%BDb");
    expect(encodeHive("\udc00")).toBe(encodeHive("\ufffd"));
    expect(encodeHive("\ud83d\ude00")).toBe("%F0%9F%98%80");
  });

  it("that `encodeHive` cannot have written is not decoded", () => {
    for (const text of ["a.b", "%2e", "%zz", "%C3", "a b", "%61"]) {
      expect(decodeHive(text)).toBeNull();
    }
  });
});

describe("the archive path", () => {
  const parts = {
    senderEmail: "john.doe@company.com",
    receivedDate: new Date("2026-03-01T23:59:59Z"),
    uniqueId: "jdoe-2026-03-01-BRK.B-BUY-100",
    filename: "Contract Note.pdf",
  };

  it("has the one form that every source shares [ARC-02]", () => {
    expect(archivePath(parts)).toBe(
      "archive/sender_email=john%2Edoe%40company%2Ecom/received_date=2026-03-01/" +
        "jdoe-2026-03-01-BRK.B-BUY-100/Contract Note.pdf",
    );
  });

  it("stays below the archive's root and below the stores' limit for all inputs [ARC-02] [ARC-13] [S49]", () => {
    const hostile = fc.oneof(
      anyText,
      fc.string({
        unit: fc.constantFrom("..", "/", "\\", "%2e", ".pdf", "\0", "é", " ", "."),
        maxLength: 30,
      }),
      fc.string({ unit: "binary", minLength: 900, maxLength: 1_200 }),
    );
    const id = hostile.filter((text) => text !== "");
    fc.assert(
      fc.property(hostile, aDay, id, hostile, (senderEmail, receivedDate, uniqueId, filename) => {
        const path = archivePath({ senderEmail, receivedDate, uniqueId, filename });
        const segments = path.split("/");
        expect(segments).toHaveLength(5);
        for (const segment of segments) expect(segment).not.toMatch(/^\.*$/);
        expect(path).toMatch(/\.pdf$/);
        expect(path).not.toMatch(/\.pdf\.pdf$/i);
        expect(path).not.toMatch(/[\\\0]/);
        expect(Buffer.byteLength(pathWithHash(path, sha256Hex("x")))).toBeLessThanOrEqual(1_024);
      }),
      { numRuns: 1_000 },
    );
  });

  it("gives different ids and senders different folders, even if they are truncated", () => {
    const long = "é".repeat(400);
    const folders = ["a/b", "a%2Fb", "..", ".", `${long}1`, `${long}2`].flatMap((text) => [
      archivePath({ ...parts, uniqueId: text }),
      archivePath({ ...parts, senderEmail: text }),
    ]);
    expect(new Set(folders).size).toBe(folders.length);
  });

  it("can be read back if a watched folder has the same form [ARC-08]", () => {
    expect(readHivePath(archivePath(parts))).toEqual({
      senderEmail: "john.doe@company.com",
      receivedDate: new Date("2026-03-01T00:00:00Z"),
    });
    expect(readHivePath("inbox/note.pdf")).toBeNull();
    expect(readHivePath("sender_email=a%40b/received_date=2026-02-31/x.pdf")).toBeNull();
  });
});

describe("the id of an archived document", () => {
  it("is the trade key, otherwise the start of the message id's hash, otherwise random [ARC-04]", () => {
    const random = systemRandom;
    const messageId = "AAMkAGUwNjQ4ZjIxAAA=";
    expect(chooseUniqueId({ tradeKey: "key", messageId, random })).toBe("key");
    expect(chooseUniqueId({ messageId, random })).toBe("f7440dd9d00cd8ef");
    expect(chooseUniqueId({ tradeKey: "", messageId: null, random })).toMatch(/^[0-9a-f-]{36}$/);
  });
});
