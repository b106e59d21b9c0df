/** Decodes Base64 that arrives in pieces inside a JSON string, so that only its bytes are held. */
export interface Base64Pieces {
  /** The number of bytes decoded so far. */
  push(piece: Buffer): number;
  /** All bytes; null if it was not Base64. */
  end(): Buffer | null;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Some programs write plus signs and slashes as escapes. */
const ESCAPE = /\\(?:u([0-9a-f]{4})|\/)/gi;
const ESCAPE_CUT = /\\(?:u[0-9a-f]{0,3})?$/i;

const ROOM_FIRST = 256 * 1024;

/** Longer content than `bytesExpected` is decoded too, at the cost of more copies. */
export function createBase64Pieces(bytesExpected: number): Base64Pieces {
  let held = Buffer.alloc(0);
  let bytes = 0;
  let rest = "";
  let isBad = false;
  let isPadded = false;

  /** Grows to the full size at once: memory that is not yet written to costs nothing, but copies do. */
  const grow = (room: number) => {
    const larger = Buffer.allocUnsafeSlow(room);
    held.copy(larger, 0, 0, bytes);
    held = larger;
  };
  const take = (text: string) => {
    if (text === "") return;
    if (isPadded || !BASE64.test(text)) isBad = true;
    if (isBad) return;
    isPadded = text.endsWith("=");
    const piece = Buffer.from(text, "base64");
    const needed = bytes + piece.length;
    if (needed > held.length)
      grow(Math.max(needed, held.length === 0 ? ROOM_FIRST : bytesExpected));
    piece.copy(held, bytes);
    bytes = needed;
  };

  return {
    push(piece) {
      const text = rest + piece.toString("latin1");
      const cutAt = ESCAPE_CUT.exec(text)?.index ?? text.length;
      const plain = text
        .slice(0, cutAt)
        .replace(ESCAPE, (_, code: string | undefined) =>
          code === undefined ? "/" : String.fromCharCode(Number.parseInt(code, 16)),
        );
      const whole = plain.length - (plain.length % 4);
      take(plain.slice(0, whole));
      rest = plain.slice(whole) + text.slice(cutAt);
      return bytes;
    },
    end() {
      // The padding may be left out.
      if (rest.length === 1) isBad = true;
      take(rest);
      return isBad ? null : held.subarray(0, bytes);
    },
  };
}
