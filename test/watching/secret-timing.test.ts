/**
 * The time to refuse a secret must not show how much of it was right. Only the long run measures it,
 * because timings must not decide an ordinary test run.
 */
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { sha256 } from "../../src/lib/hash.ts";
import { createSubscriptionDirectory } from "../../src/mailbox/subscriptions/subscription-directory.ts";
import type { Queryable } from "../../src/store/database.ts";
import { createRandom } from "../../tenant/random.ts";

const SECRET = "a-secret-of-forty-three-characters-like-our";
const WRONG = "Z".repeat(SECRET.length);
const NEARLY = `${SECRET.slice(0, -1)}Z`;
const SAMPLES = 20_000;
/** Beyond this, two samples of the same distribution differ once in a hundred thousand times. */
const T_MAX = 4.5;

/** Welch's t of the two groups. Interruptions are many times longer than a call, so the slowest are left out. */
function welch(one: number[], other: number[]): number {
  const [a, b] = [one, other].map((times) => {
    const kept = times.sort((x, y) => x - y).slice(0, Math.floor(times.length * 0.9));
    const mean = kept.reduce((sum, x) => sum + x, 0) / kept.length;
    const variance = kept.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (kept.length - 1);
    return { mean, spread: variance / kept.length };
  }) as [{ mean: number; spread: number }, { mean: number; spread: number }];
  return (a.mean - b.mean) / Math.sqrt(a.spread + b.spread);
}

/** The two secrets in random order, so that nothing that changes meanwhile favours one of them. */
function measure(check: (secret: string) => unknown, seed: number): number {
  const random = createRandom(`timing/${seed}`);
  const times: [number[], number[]] = [[], []];
  for (let index = 0; index < 3 * SAMPLES; index++) {
    const which = random.below(2) as 0 | 1;
    const secret = which === 0 ? WRONG : NEARLY;
    const startedNs = process.hrtime.bigint();
    check(secret);
    const tookNs = Number(process.hrtime.bigint() - startedNs);
    if (index >= SAMPLES) times[which].push(tookNs); // the first third is for the compiler
  }
  return Math.abs(welch(times[0], times[1]));
}

/** A leak shows every time, an accident does not. */
const leastOf = (check: (secret: string) => unknown): number =>
  Math.min(...[1, 2, 3].map((seed) => measure(check, seed)));

async function aDirectory() {
  const row = {
    ...{ id: 1, mailbox: 1, connection: "default", graphUserId: null },
    ...{ subscriptionId: "known", resource: "users/x/messages", secretHash: sha256(SECRET) },
  };
  const database: Queryable = { query: async () => ({ rows: [row], rowCount: 1 }) as never };
  const directory = createSubscriptionDirectory({
    ...{ database, clock: systemClock, tenantOf: () => null },
  });
  await directory.refresh();
  return directory;
}

describe("refusing a secret", () => {
  it("a nearly right secret is refused in the same time as an entirely wrong one [WEB-10] [S17]", async () => {
    const directory = await aDirectory();
    expect(directory.verify("known", SECRET)).not.toBeNull();
    expect(leastOf((secret) => directory.verify("known", secret))).toBeLessThan(T_MAX);
  });

  it("the measurement would show a comparison that stops at the first difference", () => {
    const leaky = (secret: string): boolean => {
      for (let at = 0; at < SECRET.length; at++)
        if (secret.charCodeAt(at) !== SECRET.charCodeAt(at)) return false;
      return true;
    };
    expect(leastOf(leaky)).toBeGreaterThan(T_MAX);
  });
});
