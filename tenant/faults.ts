import type { Random } from "./random.ts";

/**
 * An armed fault: where it fires, how often, and what it does there. Every random choice comes from the
 * tenant's seed, so the same seed and calls affect the same requests.
 */
export interface ArmedFault {
  readonly id: string;
  /** What happens: `throttle`, `server-error`, `timeout`, `cut-body`, `bad-json`, `html`, `slow`,
   *  `drop-notification`, `duplicate-notification`, `late-notification`, `reorder-notifications`,
   *  `expire-delta`, `unauthorized`, … Each part documents the ones it honours. */
  readonly kind: string;
  /**
   * Fires only if every given fact equals the request's fact or, for a string ending in `*`, is its prefix.
   */
  readonly where: Readonly<Record<string, string | number | boolean>>;
  readonly probability: number;
  /** How often it still fires; null means without limit. */
  remaining: number | null;
  /** What the kind needs: `retryAfterSeconds`, `status`, `delayMs`, `times`. */
  readonly options: Readonly<Record<string, unknown>>;
}

export interface Faults {
  arm(fault: Partial<ArmedFault> & { kind: string }): ArmedFault;
  /** Without an id, disarms all of them. */
  disarm(id?: string): void;
  list(): readonly ArmedFault[];
  /** Restores the faults of a snapshot. */
  restore(saved: readonly ArmedFault[]): void;
  /**
   * Returns the fault of one of these kinds that fires here, if any; counts it down and records it in the
   * journal.
   */
  strike(
    kinds: string | readonly string[],
    facts: Record<string, string | number | boolean>,
  ): ArmedFault | null;
}

export function createFaults(
  random: Random,
  onStrike: (fault: ArmedFault, facts: object) => void,
  /** A mailbox may be named by address; the parts name it by its user's id. */
  toUserId: (name: string) => string = (name) => name,
): Faults {
  let armed: ArmedFault[] = [];
  let count = 0;
  return {
    arm(fault) {
      const full: ArmedFault = {
        id: `fault-${++count}`,
        probability: 1,
        remaining: null,
        options: {},
        ...fault,
        where: withUserId(fault.where ?? {}, toUserId),
      };
      armed.push(full);
      return full;
    },
    disarm(id) {
      armed = id === undefined ? [] : armed.filter((fault) => fault.id !== id);
    },
    list: () => armed,
    restore(saved) {
      armed = saved.map((fault) => ({ ...fault }));
      count = Math.max(count, ...armed.map((fault) => Number(fault.id.replace("fault-", "")) || 0));
    },
    strike(kinds, facts) {
      for (const fault of armed) {
        if (fault.remaining === 0) continue;
        if (typeof kinds === "string" ? fault.kind !== kinds : !kinds.includes(fault.kind))
          continue;
        if (!matches(fault.where, facts)) continue;
        if (fault.probability < 1 && !random.chance(fault.probability)) continue;
        if (fault.remaining !== null) fault.remaining -= 1;
        onStrike(fault, facts);
        return fault;
      }
      return null;
    },
  };
}

function withUserId(
  where: ArmedFault["where"],
  toUserId: (name: string) => string,
): ArmedFault["where"] {
  const mailbox = where["mailbox"];
  return typeof mailbox === "string" ? { ...where, mailbox: toUserId(mailbox) } : where;
}

function matches(
  where: ArmedFault["where"],
  facts: Record<string, string | number | boolean>,
): boolean {
  return Object.entries(where).every(([name, wanted]) => {
    const actual = facts[name];
    if (typeof wanted === "string" && wanted.endsWith("*")) {
      return typeof actual === "string" && actual.startsWith(wanted.slice(0, -1));
    }
    return actual === wanted;
  });
}
