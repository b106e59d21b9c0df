/**
 * A message's id in the five formats that Exchange knows. REST ids are created in `mail-ids.ts`; EWS ids are
 * the same in plain base64; entry ids are MAPI's 70 bytes: flags, store, type, folder, message.
 */
import { parseMessageId, toMessageId } from "./mail-ids.ts";

export const EXCHANGE_ID_TYPES = [
  "entryId",
  "ewsId",
  "immutableEntryId",
  "restId",
  "restImmutableEntryId",
] as const;
export type ExchangeIdType = (typeof EXCHANGE_ID_TYPES)[number];

/** What an id contains: which message, and where it was when the id was created. */
interface Place {
  readonly key: number;
  readonly moves: number;
}

const ENTRY_BYTES = 70;
const STORE_AT = 4;
const TYPE_AT = 20;
const MOVES_AT = 38;
const KEY_AT = 62;
const MESSAGE_TYPE = 0x0700;
const IMMUTABLE_TYPE = 0x0b00;

export function writeExchangeId(tag: Buffer, { key, moves }: Place, type: ExchangeIdType): string {
  switch (type) {
    case "restId":
      return toMessageId(tag, key, "default", moves);
    case "restImmutableEntryId":
      return toMessageId(tag, key, "immutable", 0);
    case "ewsId":
      return toMessageId(tag, key, "default", moves).replaceAll("-", "/").replaceAll("_", "+");
    case "entryId":
      return entryId(tag, MESSAGE_TYPE, { key, moves });
    default:
      return entryId(tag, IMMUTABLE_TYPE, { key, moves: 0 });
  }
}

/** Null if the text is not an id of this type in this mailbox. */
export function readExchangeId(tag: Buffer, id: string, type: ExchangeIdType): Place | null {
  if (type === "entryId" || type === "immutableEntryId") {
    return readEntryId(tag, id, type === "entryId" ? MESSAGE_TYPE : IMMUTABLE_TYPE);
  }
  const restId = type === "ewsId" ? id.replaceAll("/", "-").replaceAll("+", "_") : id;
  const parsed = parseMessageId(tag, restId);
  const form = type === "restImmutableEntryId" ? "immutable" : "default";
  return parsed === null || parsed.form !== form ? null : parsed;
}

function entryId(tag: Buffer, type: number, { key, moves }: Place): string {
  const bytes = Buffer.alloc(ENTRY_BYTES);
  tag.copy(bytes, STORE_AT);
  bytes.writeUInt16BE(type, TYPE_AT);
  bytes.writeUIntBE(moves, MOVES_AT, 6);
  bytes.writeUIntBE(key, KEY_AT, 6);
  return bytes.toString("base64url");
}

function readEntryId(tag: Buffer, id: string, type: number): Place | null {
  const bytes = Buffer.from(id.replaceAll("+", "-").replaceAll("/", "_"), "base64url");
  if (bytes.length !== ENTRY_BYTES || bytes.readUInt16BE(TYPE_AT) !== type) return null;
  if (!bytes.subarray(STORE_AT, STORE_AT + tag.length).equals(tag)) return null;
  return { key: bytes.readUIntBE(KEY_AT, 6), moves: bytes.readUIntBE(MOVES_AT, 6) };
}
