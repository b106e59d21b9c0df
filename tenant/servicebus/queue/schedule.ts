import type { StoredMessage } from "./message.ts";

/** Messages scheduled for later, soonest first. */
export function createSchedule() {
  const waiting: StoredMessage[] = [];

  /** Position for a message due at `dueMs`: after all that are due no later. */
  const placeFor = (dueMs: number): number => {
    let [low, high] = [0, waiting.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (waiting[middle]!.scheduledForMs! <= dueMs) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    add: (message: StoredMessage) =>
      void waiting.splice(placeFor(message.scheduledForMs!), 0, message),
    remove(message: StoredMessage): void {
      const at = waiting.indexOf(message);
      if (at >= 0) waiting.splice(at, 1);
    },
    takeDue: (nowMs: number): StoredMessage[] => waiting.splice(0, placeFor(nowMs)),
    firstDueMs: (): number => waiting[0]?.scheduledForMs ?? Number.POSITIVE_INFINITY,
  };
}
