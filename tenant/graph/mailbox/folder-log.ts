/**
 * The changes in one folder, in order: the source of its delta. Only the newest entry of a message counts;
 * older ones are skipped, and removed when they are the majority.
 */
export interface LogEntry {
  readonly sequence: number;
  readonly key: number;
  readonly kind: "created" | "updated" | "removed";
  /** The move count in the id under which the message was last known here. */
  readonly moves: number;
  /** The sequence at which the message entered this folder. */
  readonly entered: number;
}

export interface FolderLog {
  record(entry: LogEntry): void;
  /** The sequence at which a message entered this folder; null if it was always here. */
  enteredAt(key: number): number | null;
  /** The newest entry of each message after the sequence, oldest first. */
  after(sequence: number, limit: number): LogEntry[];
  /** Whether there is anything newer than the sequence. */
  hasAfter(sequence: number): boolean;
  entries(): readonly LogEntry[];
}

const COMPACT_FROM = 1024;

export function createFolderLog(saved: readonly LogEntry[] = []): FolderLog {
  let entries: LogEntry[] = [...saved];
  const newest = new Map<number, LogEntry>(saved.map((entry) => [entry.key, entry]));

  const isNewest = (entry: LogEntry) => newest.get(entry.key) === entry;

  const firstAfter = (sequence: number): number => {
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (entries[middle]!.sequence <= sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    record(entry) {
      entries.push(entry);
      newest.set(entry.key, entry);
      if (entries.length > COMPACT_FROM && entries.length > 2 * newest.size) {
        entries = entries.filter(isNewest);
      }
    },
    enteredAt: (key) => newest.get(key)?.entered ?? null,
    after(sequence, limit) {
      const found: LogEntry[] = [];
      for (let at = firstAfter(sequence); at < entries.length && found.length < limit; at++) {
        const entry = entries[at]!;
        if (isNewest(entry)) found.push(entry);
      }
      return found;
    },
    hasAfter(sequence) {
      const last = entries.at(-1);
      return last !== undefined && last.sequence > sequence;
    },
    entries: () => entries.filter(isNewest),
  };
}
