/** Decrypts the content of a notification and keeps only the properties that events need. */
import {
  constants,
  createDecipheriv,
  createHmac,
  type KeyObject,
  privateDecrypt,
  timingSafeEqual,
} from "node:crypto";
import { type GraphMessage, KEPT_HEADERS, MESSAGE_SELECT } from "../mailbox/messages/message.ts";

export interface EncryptedContent {
  readonly data: string;
  readonly dataKey: string;
  readonly dataSignature: string;
  readonly certificateId: string;
}

const CONTENT_LENGTH_MAX = 512 * 1024;

/** Null if it does not have the structure that Graph sends. */
export function readEncryptedContent(raw: unknown): EncryptedContent | null {
  const { data, dataKey, dataSignature, encryptionCertificateId } = (raw ?? {}) as Record<
    string,
    unknown
  >;
  const texts = [data, dataKey, dataSignature, encryptionCertificateId];
  if (!texts.every((text) => typeof text === "string" && text.length <= CONTENT_LENGTH_MAX))
    return null;
  return {
    data: data as string,
    dataKey: dataKey as string,
    dataSignature: dataSignature as string,
    certificateId: encryptionCertificateId as string,
  };
}

/**
 * Null if the content was not encrypted for this key or was changed in transit; the signature is checked
 * before anything is decrypted. A key that we do not have opens nothing, like a wrong one.
 */
export function openContent(content: EncryptedContent, privateKey: KeyObject | null): unknown {
  try {
    const key = privateDecrypt(
      { key: privateKey!, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" },
      Buffer.from(content.dataKey, "base64"),
    );
    const ciphertext = Buffer.from(content.data, "base64");
    const expected = createHmac("sha256", key).update(ciphertext).digest();
    const signature = Buffer.from(content.dataSignature, "base64");
    // Throws, and so refuses, if the lengths differ.
    if (!timingSafeEqual(signature, expected)) return null;
    const decipher = createDecipheriv("aes-256-cbc", key, key.subarray(0, 16));
    return JSON.parse(
      Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8"),
    );
  } catch {
    return null; // no key or a wrong one, broken padding or invalid JSON: in each case the message is read from Graph
  }
}

const KEPT = new Set([...MESSAGE_SELECT.split(","), "@odata.etag"]);

/** Keeps only the properties that we request, and only the headers that a rule needs. */
export function toSnapshot(content: unknown, messageId: string): GraphMessage | null {
  const kept = Object.fromEntries(Object.entries(content ?? {}).filter(([name]) => KEPT.has(name)));
  const headers = kept["internetMessageHeaders"];
  // Without these two, an older response cannot be distinguished from a newer one.
  if (
    typeof kept["parentFolderId"] !== "string" ||
    typeof kept["lastModifiedDateTime"] !== "string"
  )
    return null;
  const names = Array.isArray(headers)
    ? headers.map((header: { name?: unknown }) => String(header?.name).toLowerCase())
    : [];
  return {
    ...kept,
    id: messageId,
    ...(Array.isArray(headers)
      ? {
          internetMessageHeaders: KEPT_HEADERS.filter((name) => names.includes(name)).map(
            (name) => ({ name, value: "" }),
          ),
        }
      : {}),
  };
}
