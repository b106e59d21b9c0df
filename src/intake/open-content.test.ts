import {
  constants,
  createCipheriv,
  createHmac,
  generateKeyPairSync,
  publicEncrypt,
} from "node:crypto";
import { describe, expect, it } from "vitest";
import { KEPT_HEADERS } from "../mailbox/messages/message.ts";
import { openContent, readEncryptedContent, toSnapshot } from "./open-content.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** As Graph encrypts it, but signed with the given key. */
function sealed(json: string, signWith?: Buffer) {
  const key = Buffer.alloc(32, 7);
  const cipher = createCipheriv("aes-256-cbc", key, key.subarray(0, 16));
  const data = Buffer.concat([cipher.update(json), cipher.final()]);
  const oaep = { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" };
  return {
    data: data.toString("base64"),
    dataKey: publicEncrypt(oaep, key).toString("base64"),
    dataSignature: createHmac("sha256", signWith ?? key)
      .update(data)
      .digest("base64"),
    encryptionCertificateId: "c",
  };
}

const open = (raw: object) => openContent(readEncryptedContent(raw)!, privateKey);

describe("encrypted content", () => {
  it("is opened with our key", () => {
    expect(open(sealed('{"subject":"x"}'))).toEqual({ subject: "x" });
  });

  it("is not opened with a key that we do not have", () => {
    expect(openContent(readEncryptedContent(sealed("{}"))!, null)).toBeNull();
  });

  it("that decrypts well but was signed with another key is not opened", () => {
    expect(open(sealed('{"subject":"x"}', Buffer.alloc(32, 8)))).toBeNull();
  });

  it("with a signature of another length is not opened", () => {
    expect(open({ ...sealed('{"subject":"x"}'), dataSignature: "AAAA" })).toBeNull();
  });

  it.each([
    ["null", null],
    ["a text", "x"],
    ["without a certificate", { ...sealed("{}"), encryptionCertificateId: undefined }],
    ["a number among texts", { ...sealed("{}"), dataKey: 7 }],
    ["over 512 KiB", { ...sealed("{}"), data: "A".repeat(512 * 1024 + 1) }],
  ])("that is %s is not read", (_, raw) => {
    expect(readEncryptedContent(raw)).toBeNull();
  });
});

describe("a snapshot", () => {
  const CONTENT = { parentFolderId: "f", lastModifiedDateTime: "2026-01-01T00:00:00Z" };

  it("keeps what we asked for, and of the headers only that those are there which a rule needs", () => {
    const header = (name: unknown) => ({ name, value: "secret" });
    const whole = { ...CONTENT, body: "words", internetMessageHeaders: [header("Subject"), null] };
    expect(toSnapshot(whole, "m")).toEqual({ ...CONTENT, id: "m", internetMessageHeaders: [] });
    const [kept] = KEPT_HEADERS;
    const listed = { ...CONTENT, internetMessageHeaders: [header(kept!.toUpperCase())] };
    expect(toSnapshot(listed, "m")).toEqual({
      ...{ ...CONTENT, id: "m", internetMessageHeaders: [{ name: kept, value: "" }] },
    });
    for (const internetMessageHeaders of [undefined, "x"]) {
      const snapshot = toSnapshot({ ...CONTENT, internetMessageHeaders }, "m");
      expect(snapshot!.internetMessageHeaders).toBe(internetMessageHeaders);
    }
  });

  it("has the id that the notification names", () => {
    expect(toSnapshot({ ...CONTENT, id: "another" }, "m")).toMatchObject({ ...CONTENT, id: "m" });
  });

  it.each([
    ["nothing", null],
    ["a text", "x"],
    ["content without a folder", { ...CONTENT, parentFolderId: undefined }],
    ["content without a time of change", { ...CONTENT, lastModifiedDateTime: undefined }],
  ])("is not made of %s", (_, content) => {
    expect(toSnapshot(content, "m")).toBeNull();
  });
});
