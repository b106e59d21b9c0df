import { Fault } from "../lib/fault.ts";

/**
 * Combines many small writes into few commits. Items that arrive during a write go into the next one; nothing
 * waits for a timer. A caller's promise resolves after its items are committed.
 */
export interface GroupCommit<Item> {
  /** Resolves when all items are durably written; rejects if that is not certain. */
  add(items: readonly Item[]): Promise<void>;
  /** Items waiting or being written. */
  readonly depth: number;
  /** Resolves when no write is in progress. */
  idle(): Promise<void>;
}

export interface GroupCommitOptions<Item> {
  /** Writes and commits all items, or throws. */
  readonly write: (items: readonly Item[]) => Promise<void>;
  readonly batchMax: number;
  /** With two, the next batch is prepared while the first waits for the disk. */
  readonly inFlightMax?: number;
  /** Further items are refused immediately, so that memory use stays flat under overload. */
  readonly depthMax: number;
  readonly refuse: () => Error;
}

interface Waiting<Item> {
  readonly items: readonly Item[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function createGroupCommit<Item>(options: GroupCommitOptions<Item>): GroupCommit<Item> {
  const inFlightMax = options.inFlightMax ?? 2;
  let waiting: Waiting<Item>[] = [];
  let depth = 0;
  let inFlight = 0;
  let onIdle: (() => void)[] = [];

  const takeBatch = (): Waiting<Item>[] => {
    let size = 0;
    let count = 0;
    while (count < waiting.length && (count === 0 || size < options.batchMax)) {
      size += waiting[count]!.items.length;
      count += 1;
    }
    const batch = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return batch;
  };

  const flush = async (): Promise<void> => {
    inFlight += 1;
    const batch = takeBatch();
    const items = batch.length === 1 ? batch[0]!.items : batch.flatMap((entry) => entry.items);
    const failures = await writeApart(options.write, items);
    let from = 0;
    for (const entry of batch) {
      const to = from + entry.items.length;
      const failure = failures.find((failed) => failed.from < to && from < failed.to);
      if (failure === undefined) entry.resolve();
      else entry.reject(failure.error);
      from = to;
    }
    depth -= items.length;
    inFlight -= 1;
    pump();
  };

  const pump = (): void => {
    while (inFlight < inFlightMax && waiting.length > 0) void flush();
    if (inFlight === 0 && waiting.length === 0) {
      for (const done of onIdle) done();
      onIdle = [];
    }
  };

  return {
    add(items) {
      if (items.length === 0) return Promise.resolve();
      if (depth + items.length > options.depthMax) return Promise.reject(options.refuse());
      depth += items.length;
      return new Promise((resolve, reject) => {
        waiting.push({ items, resolve, reject });
        // More requests may join the same commit in the rest of this turn of the event loop.
        if (waiting.length === 1) setImmediate(pump);
      });
    },
    get depth() {
      return depth;
    },
    idle: () =>
      inFlight === 0 && waiting.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => onIdle.push(resolve)),
  };
}

interface Failure {
  readonly from: number;
  readonly to: number;
  readonly error: unknown;
}

/**
 * Writes all items together. If that fails for a reason other than the state of the database, one of them
 * cannot be written: the items are halved, again and again, until all others are written without it.
 */
async function writeApart<Item>(
  write: GroupCommitOptions<Item>["write"],
  items: readonly Item[],
  from = 0,
): Promise<Failure[]> {
  try {
    await write(items);
    return [];
  } catch (error) {
    if (error instanceof Fault || items.length === 1)
      return [{ from, to: from + items.length, error }];
    const middle = items.length >> 1;
    const first = await writeApart(write, items.slice(0, middle), from);
    return [...first, ...(await writeApart(write, items.slice(middle), from + middle))];
  }
}
