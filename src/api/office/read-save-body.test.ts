import * as fc from "fast-check";
import { expect, it } from "vitest";
import { sha256Hex } from "../../lib/hash.ts";
import { readSaveBody } from "./read-save-body.ts";

const spool = {
  put: async (bytes: Uint8Array) => ({ id: sha256Hex(bytes), size: bytes.length, isNew: true }),
};

async function* cutAt(body: Buffer, cuts: readonly number[]) {
  let from = 0;
  for (const at of [...cuts].sort((a, b) => a - b)) {
    yield body.subarray(from, Math.max(from, at));
    from = Math.max(from, at);
  }
  yield body.subarray(from);
}

it("a body is read the same however it is cut, with every content in the spool and a number in its place", async () => {
  const contents = ["one", "two \u{1f4e7}", "x".repeat(100)].map((text) => Buffer.from(text));
  const json = {
    email: {
      subject: 'A "contentBase64": "trap" \\',
      attachments: contents.map((bytes) => ({
        fileName: "contentBase64",
        contentBase64: bytes.toString("base64"),
      })),
    },
  };
  const body = Buffer.from(JSON.stringify(json, null, 1));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(body.length), { maxLength: 20 }), async (cuts) => {
      const read = await readSaveBody(cutAt(body, cuts), spool);
      expect(read.files.map(({ sha256 }) => sha256)).toEqual(
        contents.map((each) => sha256Hex(each)),
      );
      expect(read.json).toEqual({
        email: {
          subject: json.email.subject,
          attachments: contents.map((_, n) => ({
            fileName: "contentBase64",
            contentBase64: String(n),
          })),
        },
      });
    }),
    { numRuns: 200 },
  );
});

it("plus signs and slashes may be escaped, as some programs do", async () => {
  const bytes = Buffer.from([0xfb, 0xff, 0xfe, 0x3e, 0x3f]);
  const text = bytes.toString("base64").replaceAll("+", "\\u002B").replaceAll("/", "\\/");
  const body = Buffer.from(`{"contentBase64":"${text}"}`);
  for (let at = 0; at <= body.length; at += 1) {
    const { files } = await readSaveBody(cutAt(body, [at]), spool);
    expect(files).toEqual([{ sha256: sha256Hex(bytes), size: 5, isProgram: false }]);
  }
});

it.each([
  ["is not Base64", '{"contentBase64":"a?b="}'],
  ["has text after its padding", '{"contentBase64":"QQ==QQ=="}'],
  ["ends inside a group of four", '{"contentBase64":"QUJDR"}'],
  ["is empty", '{"contentBase64":""}'],
  ["never ends", '{"contentBase64":"QUJD'],
])("a content that %s is refused", async (_, text) => {
  await expect(readSaveBody(cutAt(Buffer.from(text), []), spool)).rejects.toMatchObject({
    code: "OFFICE_VALIDATION",
  });
});
