/** Remembers message ids for a while. The window starts at the first send of an id. */
export interface DuplicateHistory {
  /** True if the id was seen within the window; otherwise it is remembered from now on. */
  isRepeated(messageId: string, nowMs: number): boolean;
  entries(): [string, number][];
  restore(entries: readonly (readonly [string, number])[]): void;
}

export function createDuplicateHistory(windowMs: () => number): DuplicateHistory {
  // Ids are forgotten in insertion order, so the oldest are always first.
  const seenAtMs = new Map<string, number>();
  const forget = (nowMs: number) => {
    for (const [id, atMs] of seenAtMs) {
      if (atMs + windowMs() > nowMs) return;
      seenAtMs.delete(id);
    }
  };
  return {
    isRepeated(messageId, nowMs) {
      forget(nowMs);
      if (seenAtMs.has(messageId)) return true;
      seenAtMs.set(messageId, nowMs);
      return false;
    },
    entries: () => [...seenAtMs],
    restore(entries) {
      seenAtMs.clear();
      for (const [id, atMs] of entries) seenAtMs.set(id, atMs);
    },
  };
}
