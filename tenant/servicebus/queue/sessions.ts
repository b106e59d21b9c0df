import { createLane, type Lane } from "./lane.ts";

/** One session of a queue: its messages in order, its state, and who holds it. */
export interface Session {
  readonly id: string;
  readonly lane: Lane;
  /** What the application stored with the session, or null. */
  state: Buffer | null;
  owner: object | null;
  lockedUntilMs: number;
  updatedAtMs: number;
}

export interface Sessions {
  get(id: string): Session;
  find(id: string): Session | undefined;
  all(): Iterable<Session>;
  /** The free session with the oldest waiting message, or null. */
  nextFree(): Session | null;
}

export function createSessions(): Sessions {
  const byId = new Map<string, Session>();
  return {
    get(id) {
      let session = byId.get(id);
      if (session === undefined) {
        const lane = createLane();
        session = { id, lane, state: null, owner: null, lockedUntilMs: 0, updatedAtMs: 0 };
        byId.set(id, session);
      }
      return session;
    },
    find: (id) => byId.get(id),
    all: () => byId.values(),
    nextFree() {
      let best: Session | null = null;
      let bestSequence = Number.POSITIVE_INFINITY;
      for (const session of byId.values()) {
        if (session.owner !== null) continue;
        const sequence = session.lane.first()?.sequence ?? Number.POSITIVE_INFINITY;
        if (sequence >= bestSequence) continue;
        best = session;
        bestSequence = sequence;
      }
      return best;
    },
  };
}
