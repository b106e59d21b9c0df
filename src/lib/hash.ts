import { createHash, hash, timingSafeEqual } from "node:crypto";

export function sha256(data: string | Uint8Array): Buffer {
  return hash("sha256", data, "buffer");
}

export function sha256Hex(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}

/**
 * A 16-byte key over several parts, in hex. Each part is preceded by its length, so that ("ab", "c") and
 * ("a", "bc") differ.
 */
export function key16(...parts: readonly string[]): string {
  let text = "";
  for (const part of parts) text += `${part.length}:${part}`;
  return sha256Hex(text).slice(0, 32);
}

/** Compares digests of equal length, so that timing reveals neither length nor content. */
export function isSameSecret(digest: Buffer, presented: string): boolean {
  return timingSafeEqual(digest, sha256(presented));
}

/** The same namespace and name always give the same UUID (version 5 of RFC 9562). */
export function uuidFor(namespace: string, name: string): string {
  const bytes = createHash("sha1").update(`${namespace}:${name}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return toUuid(bytes.toString("hex"));
}

/** Adds the dashes of a UUID to 32 hexadecimal digits. */
export function toUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (text: unknown): text is string =>
  typeof text === "string" && UUID.test(text);
