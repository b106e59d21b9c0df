/**
 * Seeded randomness. A fork is independent of its siblings, so an additional draw does not change the others.
 */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number in [0, below). */
  below(below: number): number;
  pick<T>(items: readonly T[]): T;
  /** True with the given probability. */
  chance(probability: number): boolean;
  bytes(length: number): Buffer;
  uuid(): string;
  fork(name: string): Random;
  /**
   * Restarts this generator and all its forks under another name. A restored tenant does so: otherwise a new
   * process would draw the ids that the snapshot already contains.
   */
  reseed(name: string): void;
}

/** Shared by a generator and its forks, so that one call reaches them all. */
interface Era {
  name: string;
}

export function createRandom(seed: string | number): Random {
  return createGenerator(String(seed), { name: "" });
}

function createGenerator(seed: string, era: Era): Random {
  let started = era.name;
  let draw = sfc32(seed + started);
  const next32 = () => {
    if (started !== era.name) {
      started = era.name;
      draw = sfc32(seed + started);
    }
    return draw();
  };
  const next = () => next32() / 4294967296;
  const random: Random = {
    next,
    below: (below) => Math.floor(next() * below),
    pick: (items) => items[Math.floor(next() * items.length)]!,
    chance: (probability) => next() < probability,
    bytes(length) {
      const bytes = Buffer.allocUnsafe(length);
      for (let index = 0; index < length; index++) bytes[index] = next32() >>> 24;
      return bytes;
    },
    uuid() {
      const bytes = random.bytes(16);
      bytes[6] = (bytes[6]! & 0x0f) | 0x40;
      bytes[8] = (bytes[8]! & 0x3f) | 0x80;
      const hex = bytes.toString("hex");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
    fork: (name) => createGenerator(`${seed}/${name}`, era),
    reseed(name) {
      era.name = `#${name}`;
    },
  };
  return random;
}

/**
 * 128 bits of state: with the 32 bits of a smaller generator, a million forks, one per generated message,
 * would start to repeat each other.
 */
function sfc32(seed: string): () => number {
  let [a, b, c, counter] = hash128(seed);
  const draw = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round++) draw();
  return draw;
}

/** Four FNV-1a hashes with different starts, each finished by mixing its bits. */
function hash128(text: string): [number, number, number, number] {
  const state = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    for (let lane = 0; lane < 4; lane++) {
      state[lane] = Math.imul(state[lane]! ^ (code + lane * 0x101), 0x01000193);
    }
  }
  return state.map((hash) => {
    const mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
    return Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b) ^ (mixed >>> 16);
  }) as [number, number, number, number];
}
