import type { StoredMessage } from "./message.ts";

/**
 * Active messages in the order of their sequence numbers. New ones are appended; a message that returns
 * (abandoned, or its lock expired) gets its old place. Messages that left in another way are skipped when
 * they reach the front, so removing one costs nothing.
 */
export interface Lane {
  append(message: StoredMessage): void;
  putBack(message: StoredMessage): void;
  /** Takes the first active message, or null. */
  take(): StoredMessage | null;
  /** The first active message without taking it. */
  first(): StoredMessage | null;
  clear(): void;
}

export function createLane(): Lane {
  let fresh: (StoredMessage | undefined)[] = [];
  let head = 0;
  const returned: StoredMessage[] = [];

  const isWaiting = (message: StoredMessage) => message.state === "active";

  const skipGone = () => {
    while (head < fresh.length && !isWaiting(fresh[head]!)) fresh[head++] = undefined;
    while (returned.length > 0 && !isWaiting(returned[0]!)) returned.shift();
    if (head > 1024 && head * 2 > fresh.length) {
      fresh = fresh.slice(head);
      head = 0;
    }
  };

  const first = () => {
    skipGone();
    const [old, young] = [returned[0], fresh[head]];
    if (old !== undefined && (young === undefined || old.sequence < young.sequence)) return old;
    return young ?? null;
  };

  return {
    append: (message) => void fresh.push(message),
    putBack(message) {
      let at = returned.length;
      while (at > 0 && returned[at - 1]!.sequence > message.sequence) at--;
      returned.splice(at, 0, message);
    },
    first,
    take() {
      const message = first();
      if (message === null) return null;
      if (message === returned[0]) returned.shift();
      else fresh[head++] = undefined;
      return message;
    },
    clear() {
      fresh = [];
      head = 0;
      returned.length = 0;
    },
  };
}
