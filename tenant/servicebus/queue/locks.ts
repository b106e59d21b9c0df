import type { StoredMessage } from "./message.ts";

/**
 * Who may settle what, and until when. A queue has one lock duration, so locks expire in the order in which
 * they were taken or renewed. A session's messages have no expiry of their own: they are `ownedBy` the
 * session's holder and are released together.
 */
export function createLocks() {
  const byToken = new Map<string, StoredMessage>();
  const isSessionBound = (message: StoredMessage) =>
    (message.lock?.owner as { session?: unknown } | null | undefined)?.session;

  return {
    add: (message: StoredMessage) => void byToken.set(message.lock!.token, message),

    has(token: string, nowMs: number): boolean {
      const message = byToken.get(token);
      return message !== undefined && message.lock!.untilMs > nowMs;
    },

    /** Ends a lock and returns its message, or null if it has expired. */
    take(token: string, nowMs: number): StoredMessage | null {
      const message = byToken.get(token);
      if (message === undefined || message.lock!.untilMs <= nowMs) return null;
      byToken.delete(token);
      return message;
    },

    renew(token: string, untilMs: number): void {
      const message = byToken.get(token)!;
      message.lock!.untilMs = untilMs;
      byToken.delete(token);
      byToken.set(token, message);
    },

    /** Ends every expired lock. */
    takeExpired(nowMs: number): StoredMessage[] {
      const expired: StoredMessage[] = [];
      for (const [token, message] of byToken) {
        if (isSessionBound(message)) continue;
        if (message.lock!.untilMs > nowMs) break;
        byToken.delete(token);
        expired.push(message);
      }
      return expired;
    },

    firstExpiryMs(): number {
      for (const message of byToken.values()) {
        if (!isSessionBound(message)) return message.lock!.untilMs;
      }
      return Number.POSITIVE_INFINITY;
    },

    clear: () => byToken.clear(),

    ownedBy: (owner: object | null): StoredMessage[] =>
      [...byToken.values()].filter((message) => message.lock!.owner === owner),

    takeOwnedBy(owner: object | null): StoredMessage[] {
      const owned: StoredMessage[] = [];
      for (const [token, message] of byToken) {
        if (message.lock!.owner !== owner) continue;
        byToken.delete(token);
        owned.push(message);
      }
      return owned;
    },
  };
}
