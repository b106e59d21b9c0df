import type { QueueCore } from "./queue-core.ts";
import type { Session } from "./sessions.ts";

/** Who holds which session of a queue. */
export function createSessionHolding(core: QueueCore) {
  const { clock, settings, sessions, locks, lockDeadline, sessionWaiters } = core;
  return {
    /** Locks a session for an owner; null if it is held or, without an id, if none is free. */
    acceptSession(sessionId: string | null): Session | null {
      const session = sessionId === null ? sessions.nextFree() : sessions.get(sessionId);
      if (session === null || session.owner !== null) return null;
      return session;
    },
    holdSession(session: Session, owner: object): void {
      session.owner = owner;
      session.lockedUntilMs = clock.now() + settings.lockDurationMs;
      lockDeadline.arm(session.lockedUntilMs);
    },
    renewSession(sessionId: string): number | null {
      const session = sessions.find(sessionId);
      if (session === undefined || session.owner === null) return null;
      session.lockedUntilMs = clock.now() + settings.lockDurationMs;
      for (const message of locks.ownedBy(session.owner)) {
        message.lock!.untilMs = session.lockedUntilMs;
      }
      lockDeadline.arm(session.lockedUntilMs);
      return session.lockedUntilMs;
    },
    /** Calls back whenever a session may have become free; the returned function stops it. */
    onSessionChange(waiter: () => void): () => void {
      sessionWaiters.add(waiter);
      return () => void sessionWaiters.delete(waiter);
    },
  };
}
