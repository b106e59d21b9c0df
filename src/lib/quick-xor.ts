/**
 * The hash by which SharePoint and OneDrive identify a file's content: 160 bits, rotated by 11 for each
 * byte, with the length mixed in at the end. It shows whether an existing file is ours.
 */
const WIDTH_BITS = 160;
const SHIFT_BITS = 11;

export interface QuickXor {
  update(bytes: Uint8Array): void;
  /** In base64, as Graph writes it. */
  digest(): string;
}

export function createQuickXor(): QuickXor {
  const cells = new Uint8Array(WIDTH_BITS / 8);
  let at = 0;
  let length = 0;
  return {
    update(bytes) {
      for (const byte of bytes) {
        const index = at >> 3;
        const shift = at & 7;
        cells[index]! ^= (byte << shift) & 0xff;
        if (shift > 0) cells[index + 1 === cells.length ? 0 : index + 1]! ^= byte >> (8 - shift);
        at += SHIFT_BITS;
        if (at >= WIDTH_BITS) at -= WIDTH_BITS;
      }
      length += bytes.length;
    },
    digest() {
      const answer = Buffer.from(cells);
      const lengthBytes = Buffer.alloc(8);
      lengthBytes.writeBigUInt64LE(BigInt(length));
      for (const [index, byte] of lengthBytes.entries()) answer[answer.length - 8 + index]! ^= byte;
      return answer.toString("base64");
    },
  };
}
