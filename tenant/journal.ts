/** What really happened in the tenant, in order: the truth that tests and audits compare with. */
export interface JournalEntry {
  readonly sequence: number;
  /** ISO time of the tenant's clock. */
  readonly at: string;
  /** For example `message.created`, `notification.sent`, `fault.injected`. */
  readonly kind: string;
  readonly [fact: string]: unknown;
}

export interface Journal {
  record(kind: string, facts?: Record<string, unknown>): JournalEntry;
  entries(afterSequence?: number): readonly JournalEntry[];
  /** Calls back on each new entry; the returned function stops it. */
  watch(listener: (entry: JournalEntry) => void): () => void;
  /** One JSON object per line, byte for byte the same for the same seed and calls. */
  toJsonLines(): string;
  clear(): void;
  /** Restores the entries of a snapshot. */
  restore(saved: readonly JournalEntry[]): void;
}

export function createJournal(now: () => number): Journal {
  let entries: JournalEntry[] = [];
  let sequence = 0;
  const listeners = new Set<(entry: JournalEntry) => void>();
  return {
    record(kind, facts = {}) {
      const entry = { sequence: ++sequence, at: new Date(now()).toISOString(), kind, ...facts };
      entries.push(entry);
      for (const listener of listeners) listener(entry);
      return entry;
    },
    entries: (afterSequence = 0) => (afterSequence === 0 ? entries : entries.slice(afterSequence)),
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    toJsonLines: () => entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""),
    clear() {
      entries = [];
      sequence = 0;
    },
    restore(saved) {
      entries = [...saved];
      sequence = entries.length;
    },
  };
}
