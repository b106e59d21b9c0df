const CELLS = 20;
const SHIFT = 11;

interface State {
  readonly ring: Buffer;
  /** Where in the ring the next byte goes. */
  readonly bit: number;
}

/**
 * OneDrive's content hash, in base64: each byte is xored into a ring of 160 bits, eleven bits
 * further than the one before, and the length is xored into the last eight bytes.
 */
export function quickXorHash(content: Buffer): string {
  const hash = createQuickXor();
  hash.update(content);
  return hash.digest(content.length);
}

export function createQuickXor() {
  return resumeQuickXor({ ring: Buffer.alloc(CELLS), bit: 0 });
}

/** Continues where another hash stopped; does not change the given state. */
export function resumeQuickXor(state: State) {
  const ring = Buffer.from(state.ring);
  let { bit } = state;
  return {
    update(content: Buffer): void {
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
    },
    state: (): State => ({ ring: Buffer.from(ring), bit }),
    digest(lengthBytes: number): string {
      const length = Buffer.alloc(8);
      length.writeBigUInt64LE(BigInt(lengthBytes));
      const mixed = Buffer.from(ring);
      for (let index = 0; index < 8; index++) {
        mixed[CELLS - 8 + index] = mixed[CELLS - 8 + index]! ^ length[index]!;
      }
      return mixed.toString("base64");
    },
  };
}
