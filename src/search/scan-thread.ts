/**
 * Finds the nearest vectors by comparing the signs of all of them, exactly and in a thread, so that a scan of a
 * hundred thousand does not hold up the server.
 */
import { Worker } from "node:worker_threads";

export interface ScanThread {
  /** Adds vectors by the numbers of their chunks; one that is there already is replaced. */
  add(nos: readonly number[], signs: readonly Uint32Array[]): void;
  /** The chunks with the fewest different signs, nearest first. */
  nearest(signs: Uint32Array, count: number): Promise<number[]>;
  close(): Promise<void>;
}

// Text and not a module: the thread must start the same way under every loader and in the built package.
const SOURCE = `
const { parentPort, workerData: { width } } = require("node:worker_threads");
let capacity = 4096, size = 0;
let nos = new Float64Array(capacity), signs = new Uint32Array(capacity * width);
const places = new Map();
const grow = () => {
  capacity *= 2;
  const [n, s] = [new Float64Array(capacity), new Uint32Array(capacity * width)];
  n.set(nos); s.set(signs);
  nos = n; signs = s;
};
const add = (given, bits) => {
  for (let i = 0; i < given.length; i++) {
    let place = places.get(given[i]);
    if (place === undefined) {
      if (size === capacity) grow();
      place = size++;
      places.set(given[i], place);
      nos[place] = given[i];
    }
    signs.set(bits.subarray(i * width, (i + 1) * width), place * width);
  }
};
const ones = (v) => {
  v -= (v >>> 1) & 0x55555555;
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return (((v + (v >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
};
const nearest = (query, count) => {
  const distances = new Uint16Array(size);
  const histogram = new Uint32Array(width * 32 + 1);
  for (let row = 0, at = 0; row < size; row++) {
    let distance = 0;
    for (let i = 0; i < width; i++, at++) distance += ones(signs[at] ^ query[i]);
    distances[row] = distance;
    histogram[distance]++;
  }
  let limit = 0;
  for (let seen = 0; limit < histogram.length; limit++) { seen += histogram[limit]; if (seen >= count) break; }
  const found = [];
  for (let row = 0; row < size; row++) if (distances[row] <= limit) found.push(row);
  found.sort((a, b) => distances[a] - distances[b] || nos[a] - nos[b]);
  return found.slice(0, count).map((row) => nos[row]);
};
parentPort.on("message", (message) => {
  if (message.add) return add(message.add, message.signs);
  parentPort.postMessage({ id: message.id, found: nearest(message.query, message.count) });
});
`;

export function startScanThread(dimensions: number): ScanThread {
  const width = Math.ceil(dimensions / 32);
  const thread = new Worker(SOURCE, { eval: true, workerData: { width } });
  const waiting = new Map<number, PromiseWithResolvers<number[]>>();
  let lastId = 0;
  thread.on("message", ({ id, found }: { id: number; found: number[] }) => {
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
  return {
    add(nos, signs) {
      const all = new Uint32Array(nos.length * width);
      for (const [index, each] of signs.entries()) all.set(each, index * width);
      thread.postMessage({ add: nos, signs: all });
    },
    nearest(signs, count) {
      const id = ++lastId;
      const answer = withResolvers<number[]>();
      waiting.set(id, answer);
      thread.postMessage({ id, query: signs, count });
      return answer.promise;
    },
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
