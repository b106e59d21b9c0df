import type { StoredMessage } from "./mail-model.ts";

/** Messages in ascending order of received time, then key. New mail goes to the end, which is cheap. */
export interface SortedMessages {
  readonly items: readonly StoredMessage[];
  insert(message: StoredMessage): void;
  remove(message: StoredMessage): void;
  /** How many items come before this position. */
  countBefore(receivedMs: number, key: number): number;
}

export function createSortedMessages(): SortedMessages {
  const items: StoredMessage[] = [];
  const countBefore = (receivedMs: number, key: number): number => {
    let low = 0;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = items[middle]!;
      const isBefore =
        item.receivedMs < receivedMs || (item.receivedMs === receivedMs && item.key < key);
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    items,
    countBefore,
    insert(message) {
      const at = countBefore(message.receivedMs, message.key);
      if (at === items.length) items.push(message);
      else items.splice(at, 0, message);
    },
    remove(message) {
      const at = countBefore(message.receivedMs, message.key);
      if (items[at]?.key === message.key) items.splice(at, 1);
    },
  };
}
