const CELLS = 20;
const SHIFT = 11;

/**
 * OneDrive's content hash, in base64: each byte is xored into a ring of 160 bits, eleven bits
 * further than the one before, and the length is xored into the last eight bytes.
 */
export function quickXorHash(content: Buffer): string {
  const ring = Buffer.alloc(CELLS);
  let bit = 0;
  for (let index = 0; index < content.length; index++) {
    const byte = content[index]!;
    const cell = bit >> 3;
    const offset = bit & 7;
    ring[cell] = ring[cell]! ^ ((byte << offset) & 0xff);
    if (offset > 0) {
      const next = cell + 1 === CELLS ? 0 : cell + 1;
      ring[next] = ring[next]! ^ (byte >> (8 - offset));
    }
    bit += SHIFT;
    if (bit >= CELLS * 8) bit -= CELLS * 8;
  }
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(content.length));
  for (let index = 0; index < 8; index++) {
    ring[CELLS - 8 + index] = ring[CELLS - 8 + index]! ^ length[index]!;
  }
  return ring.toString("base64");
}
