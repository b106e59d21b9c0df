/**
 * The byte-level details of AMQP 1.0 that a broker needs to pass messages on unchanged. Decoding and encoding
 * again would lose number types that a sender chose, and take most of the time.
 */
export const SECTION = {
  header: 0x70,
  deliveryAnnotations: 0x71,
  messageAnnotations: 0x72,
  properties: 0x73,
  applicationProperties: 0x74,
  data: 0x75,
} as const;

export interface Section {
  readonly code: number;
  /** Offset of the descriptor. */
  readonly start: number;
  /** Offset of the section's value. */
  readonly valueStart: number;
  readonly end: number;
}

export interface MapBytes {
  /** Keys and values together, as AMQP counts them. */
  readonly count: number;
  readonly pairs: Buffer;
}

export const EMPTY_MAP: MapBytes = { count: 0, pairs: Buffer.alloc(0) };

/** The sections of an encoded message in order; throws RangeError if the bytes are not AMQP. */
export function readSections(bytes: Buffer): Section[] {
  const sections: Section[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (bytes[at] !== 0x00) throw new RangeError(`no section starts at byte ${at}`);
    const descriptorEnd = endOfValue(bytes, at + 1);
    const end = endOfValue(bytes, descriptorEnd);
    if (end > bytes.length) throw new RangeError(`the section at byte ${at} is cut off`);
    sections.push({
      code: readDescriptor(bytes, at + 1),
      start: at,
      valueStart: descriptorEnd,
      end,
    });
    at = end;
  }
  return sections;
}

function readDescriptor(bytes: Buffer, at: number): number {
  const code = bytes[at];
  if (code === 0x53) return bytes[at + 1]!;
  if (code === 0x80) return Number(bytes.readBigUInt64BE(at + 1));
  throw new RangeError("only numeric descriptors are known");
}

/** The first byte after the value that starts at `at`. */
function endOfValue(bytes: Buffer, at: number): number {
  const code = bytes[at];
  if (code === undefined) throw new RangeError("a value is missing");
  if (code === 0x00) return endOfValue(bytes, endOfValue(bytes, at + 1));
  switch (code >> 4) {
    case 0x4:
      return at + 1;
    case 0x5:
      return at + 2;
    case 0x6:
      return at + 3;
    case 0x7:
      return at + 5;
    case 0x8:
      return at + 9;
    case 0x9:
      return at + 17;
    case 0xa:
    case 0xc:
    case 0xe:
      return at + 2 + bytes.readUInt8(at + 1);
    case 0xb:
    case 0xd:
    case 0xf:
      return at + 5 + bytes.readUInt32BE(at + 1);
    default:
      throw new RangeError(`unknown type code ${code}`);
  }
}

/** The pairs of an encoded map, without those whose symbol or string key is in `without`. */
export function readMap(bytes: Buffer, at: number, without?: ReadonlySet<string>): MapBytes {
  const isSmall = bytes[at] === 0xc1;
  if (!isSmall && bytes[at] !== 0xd1) return EMPTY_MAP;
  const count = isSmall ? bytes.readUInt8(at + 2) : bytes.readUInt32BE(at + 5);
  const start = isSmall ? at + 3 : at + 9;
  const end = endOfValue(bytes, at);
  if (without === undefined) return { count, pairs: bytes.subarray(start, end) };
  const kept: Buffer[] = [];
  for (let pair = start; pair < end; ) {
    const valueStart = endOfValue(bytes, pair);
    const next = endOfValue(bytes, valueStart);
    if (!without.has(readText(bytes, pair))) kept.push(bytes.subarray(pair, next));
    pair = next;
  }
  return { count: kept.length * 2, pairs: Buffer.concat(kept) };
}

/** The items of an encoded list, one after another. */
export function readList(bytes: Buffer, at: number): { count: number; items: Buffer } {
  const end = endOfValue(bytes, at);
  if (bytes[at] === 0xc0)
    return { count: bytes.readUInt8(at + 2), items: bytes.subarray(at + 3, end) };
  if (bytes[at] === 0xd0) {
    return { count: bytes.readUInt32BE(at + 5), items: bytes.subarray(at + 9, end) };
  }
  return { count: 0, items: Buffer.alloc(0) };
}

/** A described list section: the items are already encoded. */
export function writeListSection(code: number, count: number, items: Buffer): Buffer {
  return Buffer.concat([writeSectionHead(code, 0xd0, items.length, count), items]);
}

function writeSectionHead(code: number, type: number, length: number, count: number): Buffer {
  const head = Buffer.allocUnsafe(12);
  head.set([0x00, 0x53, code, type]);
  head.writeUInt32BE(length + 4, 4);
  head.writeUInt32BE(count, 8);
  return head;
}

function readText(bytes: Buffer, at: number): string {
  const isSmall = bytes[at]! >> 4 === 0xa;
  return bytes.toString("utf8", at + (isSmall ? 2 : 5), endOfValue(bytes, at));
}

/** A described map section: the pairs are already encoded. */
export function writeMapSection(code: number, parts: readonly MapBytes[]): Buffer {
  let count = 0;
  let length = 0;
  for (const part of parts) {
    count += part.count;
    length += part.pairs.length;
  }
  const head = writeSectionHead(code, 0xd1, length, count);
  return Buffer.concat([head, ...parts.map((part) => part.pairs)]);
}

export type WrittenValue =
  | { readonly type: "long" | "timestamp" | "int" | "double"; readonly value: number }
  | { readonly type: "boolean"; readonly value: boolean }
  | { readonly type: "string"; readonly value: string };

/** Encodes pairs with symbol keys (annotations) or string keys (application properties). */
export function writePairs(
  keyType: "symbol" | "string",
  entries: readonly (readonly [string, WrittenValue])[],
): MapBytes {
  const chunks: Buffer[] = [];
  for (const [key, written] of entries) {
    chunks.push(writeText(keyType === "symbol" ? 0xa3 : 0xa1, key), writeValue(written));
  }
  return { count: entries.length * 2, pairs: Buffer.concat(chunks) };
}

function writeValue(written: WrittenValue): Buffer {
  if (written.type === "string") return writeText(0xa1, written.value);
  if (written.type === "int") {
    const bytes = Buffer.allocUnsafe(5);
    bytes[0] = 0x71;
    bytes.writeInt32BE(written.value, 1);
    return bytes;
  }
  if (written.type === "boolean") return Buffer.from([written.value ? 0x41 : 0x42]);
  const bytes = Buffer.allocUnsafe(9);
  bytes[0] = { long: 0x81, timestamp: 0x83, double: 0x82 }[written.type];
  if (written.type === "double") bytes.writeDoubleBE(written.value, 1);
  else bytes.writeBigInt64BE(BigInt(written.value), 1);
  return bytes;
}

/** `smallCode` is 0xa1 for strings and 0xa3 for symbols; long texts use the four-byte form. */
function writeText(smallCode: number, text: string): Buffer {
  const body = Buffer.from(text, "utf8");
  if (body.length < 256) return Buffer.concat([Buffer.from([smallCode, body.length]), body]);
  const head = Buffer.allocUnsafe(5);
  head[0] = smallCode + 0x10;
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}
