/**
 * Outlook's limits per app and mailbox: requests in ten minutes, concurrent requests, and bytes written in
 * five minutes; and those of the subscription resource per app. Refused calls count too.
 */
import type { TenantContext } from "../../context.ts";
import { GraphProblem } from "./graph-error.ts";
import { graphSwitch } from "./graph-switches.ts";
import { createRollingSum, type RollingSum } from "./rolling-sum.ts";

export interface Throttle {
  /** Takes a slot of a mailbox, or throws the 429; the returned function frees the slot. */
  enterMailbox(appId: string, userId: string, writtenBytes: number): () => void;
  checkSubscriptions(appId: string, kind: SubscriptionCall): void;
}

export type SubscriptionCall = "write" | "reauthorize" | "get" | "list";

interface Usage {
  readonly requests: RollingSum;
  readonly written: RollingSum;
  concurrent: number;
}

const MINUTE_MS = 60_000;
const REQUESTS_MAX = 10_000;
const CONCURRENT_MAX = 4;
/** Over all mailboxes together. */
const GLOBAL_REQUESTS_MAX = 130_000;
const WRITTEN_BYTES_MAX = 150 * 1024 * 1024;
const SUBSCRIPTION_WINDOW_MS = 20_000;
const SUBSCRIPTION_CALLS_MAX: Record<SubscriptionCall, number> = {
  write: 500,
  reauthorize: 1_000,
  get: 500,
  list: 25,
};

export function createThrottle(context: TenantContext): Throttle {
  const { clock, journal, switches } = context;
  const usages = new Map<string, Usage>();
  const appCalls = new Map<string, RollingSum>();
  const subscriptionCalls = new Map<string, RollingSum>();

  const usageOf = (key: string): Usage => {
    const known = usages.get(key);
    if (known) return known;
    const usage: Usage = {
      requests: createRollingSum(10 * MINUTE_MS),
      written: createRollingSum(5 * MINUTE_MS),
      concurrent: 0,
    };
    usages.set(key, usage);
    return usage;
  };

  const refuse = (
    code: string,
    message: string,
    limit: string,
    retryAfterMs: number,
  ): GraphProblem => {
    journal.record("request.throttled", { limit });
    const seconds = String(Math.max(1, Math.ceil(retryAfterMs / 1000)));
    const headers: Record<string, string> = graphSwitch(switches, "retryAfterHeader")
      ? { "retry-after": seconds }
      : {};
    return new GraphProblem(429, code, message, { headers, innerCode: "429" });
  };

  return {
    enterMailbox(appId, userId, writtenBytes) {
      if (!switches.throttling) return () => {};
      const usage = usageOf(`${appId} ${userId}`);
      const nowMs = clock.now();
      usage.requests.add(nowMs, 1);
      const all = appCalls.get(appId) ?? createRollingSum(10_000);
      appCalls.set(appId, all);
      all.add(nowMs, 1);
      if (all.sum(nowMs) > GLOBAL_REQUESTS_MAX) {
        const waitMs = all.easesInMs(nowMs);
        throw refuse("TooManyRequests", "Please retry again later.", "all requests", waitMs);
      }
      if (usage.requests.sum(nowMs) > REQUESTS_MAX) {
        throw refuse(
          "TooManyRequests",
          "Please retry again later.",
          "requests",
          usage.requests.easesInMs(nowMs),
        );
      }
      if (writtenBytes > 0) usage.written.add(nowMs, writtenBytes);
      if (usage.written.sum(nowMs) > WRITTEN_BYTES_MAX) {
        throw refuse(
          "ApplicationThrottled",
          "Application is over its IncomingBytes limit.",
          "written bytes",
          usage.written.easesInMs(nowMs),
        );
      }
      if (usage.concurrent >= CONCURRENT_MAX) {
        throw refuse(
          "ApplicationThrottled",
          "Application is over its MailboxConcurrency limit.",
          "concurrency",
          1000,
        );
      }
      usage.concurrent += 1;
      let isInside = true;
      return () => {
        if (isInside) usage.concurrent -= 1;
        isInside = false;
      };
    },
    checkSubscriptions(appId, kind) {
      if (!switches.throttling) return;
      const key = `${appId} ${kind}`;
      const calls = subscriptionCalls.get(key) ?? createRollingSum(SUBSCRIPTION_WINDOW_MS);
      subscriptionCalls.set(key, calls);
      const nowMs = clock.now();
      calls.add(nowMs, 1);
      if (calls.sum(nowMs) <= SUBSCRIPTION_CALLS_MAX[kind]) return;
      throw refuse(
        "TooManyRequests",
        "Too many requests to the subscription resource.",
        `subscriptions ${kind}`,
        calls.easesInMs(nowMs),
      );
    },
  };
}
