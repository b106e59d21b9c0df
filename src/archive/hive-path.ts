import assert from "node:assert/strict";
import { ARCHIVE_NAMES, safeFileName } from "../lib/file-name.ts";
import { sha256Hex } from "../lib/hash.ts";

/** The parts of the path of an archived document; every source uses the same form. */
export interface HiveParts {
  readonly senderEmail: string;
  /** Only its day in UTC counts. */
  readonly receivedDate: Date;
  readonly uniqueId: string;
  readonly filename: string;
}

// With the fixed parts and a hash in the name, the path stays below 1024 bytes, the limit of every store.
const SENDER_BYTES_MAX = 600;
const UNIQUE_ID_BYTES_MAX = 128;

export function archivePath(parts: HiveParts): string {
  const sender = shortened(encodeHive(parts.senderEmail), SENDER_BYTES_MAX);
  const folder = [
    "archive",
    `sender_email=${sender}`,
    `received_date=${dayOf(parts.receivedDate)}`,
    shortened(encodeUniqueId(parts.uniqueId), UNIQUE_ID_BYTES_MAX),
  ].join("/");
  return `${folder}/${safeFileName(parts.filename, ARCHIVE_NAMES)}.pdf`;
}

/** The path of a document if other bytes exist at its first path. */
export function pathWithHash(path: string, sha256: string): string {
  return path.replace(/\.pdf$/, `-${sha256.slice(0, 8)}.pdf`);
}

/**
 * Encodes byte for byte like Python's `quote(value, safe='-_~').replace('.', '%2E')`. An unpaired surrogate, on which
 * Python raises, becomes U+FFFD, so that an odd sender cannot stop a message.
 */
export function encodeHive(value: string): string {
  let encoded = "";
  for (const byte of Buffer.from(value, "utf8")) encoded += ENCODED_BYTES[byte];
  return encoded;
}

const KEPT = /[A-Za-z0-9_~-]/;
const ENCODED_BYTES = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return KEPT.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
});

/** Null if `encodeHive` cannot have written the text. */
export function decodeHive(encoded: string): string | null {
  try {
    const value = decodeURIComponent(encoded);
    return encodeHive(value) === encoded ? value : null;
  } catch {
    return null; // a broken escape, or bytes that are not UTF-8
  }
}

export interface HivePartition {
  readonly senderEmail: string;
  readonly receivedDate: Date;
}

/** The partition of a path in a watched folder; null if the path has none. */
export function readHivePath(path: string): HivePartition | null {
  const sender = /(?:^|\/)sender_email=([^/]+)\//.exec(path)?.[1];
  const day = /(?:^|\/)received_date=(\d{4}-\d{2}-\d{2})\//.exec(path)?.[1];
  const senderEmail = sender === undefined ? null : decodeHive(sender);
  if (senderEmail === null || day === undefined) return null;
  const receivedDate = new Date(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(receivedDate.getTime()) && dayOf(receivedDate) === day;
  return isDay ? { senderEmail, receivedDate } : null;
}

/** The trade key if there is one, otherwise the hash of the message id, otherwise a random id. */
export function chooseUniqueId(options: {
  tradeKey?: string | null;
  messageId?: string | null;
  random: { uuid(): string };
}): string {
  if (options.tradeKey) return options.tradeKey;
  if (options.messageId) return sha256Hex(options.messageId).slice(0, 16);
  return options.random.uuid();
}

/** Keeps dots, so that keys stay readable, unless the whole segment is dots, which would climb the path. */
function encodeUniqueId(uniqueId: string): string {
  assert.notEqual(uniqueId, "", "an archived document has an id");
  const encoded = encodeHive(uniqueId);
  const isDots = /^(?:%2E)+$/.test(encoded);
  return isDots ? encoded : encoded.replaceAll("%2E", ".");
}

/** Truncates a text that is longer than any real address or key, and appends a hash of the whole. */
function shortened(encoded: string, bytesMax: number): string {
  if (encoded.length <= bytesMax) return encoded;
  const kept = encoded.slice(0, bytesMax - 18).replace(/%[0-9A-F]?$/, "");
  return `${kept}~~${sha256Hex(encoded).slice(0, 16)}`;
}

function dayOf(date: Date): string {
  assert.ok(!Number.isNaN(date.getTime()), "an archived document has a date");
  const day = date.toISOString().slice(0, -14);
  assert.match(day, /^\d{4}-\d{2}-\d{2}$/, "the date is in a year of four digits");
  return day;
}
