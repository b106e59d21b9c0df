/**
 * A message between the host and a child of the sandbox: a small head as JSON, then raw bytes. It starts with
 * the length of the head and the length of the bytes, four bytes each, big-endian.
 */
export interface Frame {
  head: unknown;
  bytes: Buffer;
}

const PREFIX = 8;
const COPIED_MAX = 256 * 1024;

/** The parts of a frame, to be written in order; large content is not copied. */
export function toFrame(head: unknown, bytes: Uint8Array): Uint8Array[] {
  const json = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt32BE(json.length, 0);
  prefix.writeUInt32BE(bytes.length, 4);
  // Every write wakes the other side, so a small frame is a single write.
  if (bytes.length <= COPIED_MAX) return [Buffer.concat([prefix, json, bytes])];
  return [Buffer.concat([prefix, json]), bytes];
}

/** Collects chunks until a frame is complete. Returns "too-large" as soon as a prefix announces too much. */
export function createFrameReader(sizeMax: number): (chunk: Buffer) => Frame[] | "too-large" {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = PREFIX;
  return (chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    const frames: Frame[] = [];
    while (held >= wanted) {
      const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, held);
      const total = PREFIX + all.readUInt32BE(0) + all.readUInt32BE(4);
      if (total > sizeMax) return "too-large";
      chunks = [all];
      wanted = total;
      if (held < total) break;
      frames.push(frameOf(all));
      const rest = all.subarray(total);
      chunks = rest.length > 0 ? [rest] : [];
      held = rest.length;
      wanted = PREFIX;
    }
    return frames;
  };
}

function frameOf(all: Buffer): Frame {
  const headEnd = PREFIX + all.readUInt32BE(0);
  const bytesEnd = headEnd + all.readUInt32BE(4);
  const head: unknown = JSON.parse(all.toString("utf8", PREFIX, headEnd));
  return { head, bytes: all.subarray(headEnd, bytesEnd) };
}
