/** Turns texts into vectors; texts with similar meanings have similar vectors. */
export interface Embedder {
  /** Stored with each vector, because vectors of different embedders cannot be compared. */
  readonly name: string;
  /** Text search configurations of the languages it knows; null if it knows all of them. */
  readonly languages: readonly string[] | null;
  /** Hits below this cosine are meaningless. */
  readonly cosineMin: number;
  /** How much it counts in search beside words, which count 1. */
  readonly weight: number;
  /** Splits a chunk into pieces that get a vector each, if the model was made for shorter texts; otherwise null. */
  readonly split: ((text: string) => string[]) | null;
  /** In the order of the texts; each has length 1. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  close(): Promise<void>;
}

export interface EmbedOptions {
  readonly signal?: AbortSignal | undefined;
  /** Who asks; without it the texts belong to the index. */
  readonly personId?: string | undefined;
}

/** Counts what embeddings cost. */
export interface EmbeddingMeter {
  /** Throws if the person's budget is spent. */
  assertLeft(personId: string | undefined): Promise<void>;
  record(
    personId: string | undefined,
    usage: { readonly tokens: number; readonly hasFailed: boolean },
  ): Promise<void>;
}

/** One signed byte per dimension, scaled by the largest value of the vector. */
export function toBytes(vector: Float32Array): Buffer {
  const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 1e-9);
  return Buffer.from(Int8Array.from(vector, (value) => Math.round((value / largest) * 127)).buffer);
}

/** The cosine of the angle between two vectors, whatever their lengths. */
export function cosine(one: Float32Array | Int8Array, other: Float32Array | Int8Array): number {
  let [product, first, second] = [0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    product += one[at]! * other[at]!;
    first += one[at]! ** 2;
    second += other[at]! ** 2;
  }
  return first === 0 || second === 0 ? 0 : product / Math.sqrt(first * second);
}

/** The vectors that were put one after the other. */
export function fromBytes(bytes: Buffer, pieces: number): Int8Array[] {
  const length = bytes.length / pieces;
  return Array.from(
    { length: pieces },
    (_, at) => new Int8Array(bytes.buffer, bytes.byteOffset + at * length, length),
  );
}

/** The signs of a vector, 32 per number: a hundredth of its size, and good enough to find the nearest vectors. */
export function signsOf(vector: Float32Array | Int8Array): Uint32Array {
  const signs = new Uint32Array(Math.ceil(vector.length / 32));
  for (let at = 0; at < vector.length; at++)
    if (vector[at]! > 0) signs[at >>> 5]! |= 1 << (at & 31);
  return signs;
}
