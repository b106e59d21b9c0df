/**
 * Graph's opaque ids, made so that we can read them back: the mailbox, the message's stable key and, in a
 * default id only, the number of times it changed folder. The last two bytes are a checksum, so that a
 * damaged id is malformed and not just unknown.
 */
import { createHash } from "node:crypto";

export type IdForm = "default" | "immutable";

export interface ParsedMessageId {
  readonly form: IdForm;
  readonly key: number;
  /** Zero in an immutable id. */
  readonly moves: number;
  /** The attachment's number, or zero for the message itself. */
  readonly attachment: number;
}

const DEFAULT_PREFIX = "AAMkAD";
const IMMUTABLE_PREFIX = "AAkALgAA";
const FOLDER_PREFIX = "AQMkAD";
const TAG_BYTES = 8;

/** The part of every id that identifies the mailbox. */
export function mailboxTag(userId: string): Buffer {
  return createHash("sha256").update(userId).digest().subarray(0, TAG_BYTES);
}

export function toMessageId(
  tag: Buffer,
  key: number,
  form: IdForm,
  moves: number,
  attachment = 0,
): string {
  const isDefault = form === "default";
  const bytes = Buffer.alloc(TAG_BYTES + 6 + (isDefault ? 4 : 0) + 2 + 2);
  tag.copy(bytes);
  let at = bytes.writeUIntBE(key, TAG_BYTES, 6);
  if (isDefault) at = bytes.writeUInt32BE(moves, at);
  at = bytes.writeUInt16BE(attachment, at);
  bytes.writeUInt16BE(checksum(bytes, at), at);
  return `${isDefault ? DEFAULT_PREFIX : IMMUTABLE_PREFIX}${bytes.toString("base64url")}=`;
}

/** Null if the text is not an id, or identifies an item of another mailbox. */
export function parseMessageId(tag: Buffer, id: string): ParsedMessageId | null {
  const isDefault = id.startsWith(DEFAULT_PREFIX);
  if (!isDefault && !id.startsWith(IMMUTABLE_PREFIX)) return null;
  const prefix = isDefault ? DEFAULT_PREFIX : IMMUTABLE_PREFIX;
  const bytes = payload(id, prefix, TAG_BYTES + 6 + (isDefault ? 4 : 0) + 2 + 2);
  if (bytes === null || !bytes.subarray(0, TAG_BYTES).equals(tag)) return null;
  const at = TAG_BYTES + 6;
  return {
    form: isDefault ? "default" : "immutable",
    key: bytes.readUIntBE(TAG_BYTES, 6),
    moves: isDefault ? bytes.readUInt32BE(at) : 0,
    attachment: bytes.readUInt16BE(at + (isDefault ? 4 : 0)),
  };
}

export function toFolderId(tag: Buffer, number: number): string {
  const bytes = Buffer.alloc(TAG_BYTES + 4 + 2);
  tag.copy(bytes);
  const at = bytes.writeUInt32BE(number, TAG_BYTES);
  bytes.writeUInt16BE(checksum(bytes, at), at);
  return `${FOLDER_PREFIX}${bytes.toString("base64url")}`;
}

export function isFolderId(id: string): boolean {
  return id.startsWith(FOLDER_PREFIX) && payload(`${id}=`, FOLDER_PREFIX, TAG_BYTES + 6) !== null;
}

export function toChangeKey(key: number, version: number): string {
  const bytes = Buffer.alloc(14);
  bytes.writeUInt32BE(0x09000000, 0);
  bytes.writeUIntBE(key, 4, 6);
  bytes.writeUInt32BE(version, 10);
  return bytes.toString("base64");
}

function payload(id: string, prefix: string, length: number): Buffer | null {
  if (!id.endsWith("=")) return null;
  const text = id.slice(prefix.length, -1);
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length !== length || bytes.toString("base64url") !== text) return null;
  return bytes.readUInt16BE(length - 2) === checksum(bytes, length - 2) ? bytes : null;
}

function checksum(bytes: Buffer, until: number): number {
  let sum = 0x1d0f;
  for (let index = 0; index < until; index++) sum = ((sum << 5) + sum + bytes[index]!) & 0xffff;
  return sum;
}
