/**
 * Finds the nearest vectors by comparing the signs of all of them, exactly and in a thread, so that a scan of a
 * hundred thousand does not hold up the server.
 */
import { Worker } from "node:worker_threads";

export interface ScanThread {
  /** Adds the vectors of chunks by their numbers; those of a chunk that is there already are replaced. */
  add(chunks: readonly { readonly no: number; readonly signs: readonly Uint32Array[] }[]): void;
  /** The chunks that have a vector with the fewest different signs, nearest first. */
  nearest(signs: Uint32Array, count: number): Promise<NearPiece[]>;
  /** Of each of these chunks its nearest vector; chunks that have none are left out. */
  among(signs: Uint32Array, nos: readonly number[]): Promise<NearPiece[]>;
  close(): Promise<void>;
}

export interface NearPiece {
  readonly no: number;
  /** Which vector of the chunk is nearest, counting from 0. */
  readonly piece: number;
}

// Text and not a module: the thread must start the same way under every loader and in the built package.
const SOURCE = `
const { parentPort, workerData: { width } } = require("node:worker_threads");
let capacity = 4096, size = 0;
// By row: the place of its chunk in nos, and its signs.
let chunkOf = new Uint32Array(capacity), signs = new Uint32Array(capacity * width);
const nos = [];
const placeOf = new Map();
const firstRow = [];
const grow = () => {
  capacity *= 2;
  const [c, s] = [new Uint32Array(capacity), new Uint32Array(capacity * width)];
  c.set(chunkOf); s.set(signs);
  chunkOf = c; signs = s;
};
const add = (chunks, bits) => {
  let from = 0;
  for (const [no, pieces] of chunks) {
    let place = placeOf.get(no);
    if (place === undefined) {
      while (size + pieces > capacity) grow();
      place = nos.length;
      placeOf.set(no, place);
      nos.push(no);
      firstRow.push(size);
      chunkOf.fill(place, size, size + pieces);
      size += pieces;
    }
    signs.set(bits.subarray(from * width, (from + pieces) * width), firstRow[place] * width);
    from += pieces;
  }
};
const ones = (v) => {
  v -= (v >>> 1) & 0x55555555;
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return (((v + (v >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
};
const far = width * 32 + 1;
const compare = (query, from, to, distances, rows) => {
  for (let row = from, at = from * width; row < to; row++) {
    let distance = 0;
    for (let i = 0; i < width; i++, at++) distance += ones(signs[at] ^ query[i]);
    const chunk = chunkOf[row];
    if (distance < distances[chunk]) {
      distances[chunk] = distance;
      rows[chunk] = row;
    }
  }
};
const among = (query, given) => {
  const distances = new Uint16Array(nos.length).fill(far);
  const rows = new Uint32Array(nos.length);
  const places = given.map((no) => placeOf.get(no)).filter((place) => place !== undefined);
  for (const place of places)
    compare(query, firstRow[place], firstRow[place + 1] ?? size, distances, rows);
  return places.map((place) => ({ no: nos[place], piece: rows[place] - firstRow[place] }));
};
const nearest = (query, count) => {
  const distances = new Uint16Array(nos.length).fill(far);
  const rows = new Uint32Array(nos.length);
  compare(query, 0, size, distances, rows);
  const histogram = new Uint32Array(far + 1);
  for (const distance of distances) histogram[distance]++;
  let limit = 0;
  for (let seen = 0; limit < far; limit++) { seen += histogram[limit]; if (seen >= count) break; }
  const found = [];
  for (let chunk = 0; chunk < distances.length; chunk++) if (distances[chunk] <= limit) found.push(chunk);
  found.sort((a, b) => distances[a] - distances[b] || nos[a] - nos[b]);
  return found.slice(0, count).map((place) => ({ no: nos[place], piece: rows[place] - firstRow[place] }));
};
parentPort.on("message", (message) => {
  if (message.add) return add(message.add, message.signs);
  const { id, query, count, given } = message;
  parentPort.postMessage({ id, found: given ? among(query, given) : nearest(query, count) });
});
`;

export function startScanThread(dimensions: number): ScanThread {
  const width = Math.ceil(dimensions / 32);
  const thread = new Worker(SOURCE, { eval: true, workerData: { width } });
  const waiting = new Map<number, PromiseWithResolvers<NearPiece[]>>();
  let lastId = 0;
  thread.on("message", ({ id, found }: { id: number; found: NearPiece[] }) => {
    waiting.get(id)?.resolve(found);
    waiting.delete(id);
  });
  const fail = (error: Error) => {
    for (const waiter of waiting.values()) waiter.reject(error);
    waiting.clear();
  };
  thread.on("error", fail);
  thread.on("exit", () => fail(new Error("the thread that scans vectors has ended")));
  thread.unref();
  const ask = (question: object): Promise<NearPiece[]> => {
    const id = ++lastId;
    const answer = withResolvers<NearPiece[]>();
    waiting.set(id, answer);
    thread.postMessage({ id, ...question });
    return answer.promise;
  };
  return {
    add(chunks) {
      const rows = chunks.flatMap(({ signs }) => signs);
      const all = new Uint32Array(rows.length * width);
      for (const [index, each] of rows.entries()) all.set(each, index * width);
      const counts = chunks.map(({ no, signs }) => [no, signs.length]);
      thread.postMessage({ add: counts, signs: all });
    },
    nearest: (signs, count) => ask({ query: signs, count }),
    among: (signs, nos) => ask({ query: signs, given: nos }),
    close: async () => void (await thread.terminate()),
  };
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
