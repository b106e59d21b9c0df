/** Limits per user over the last five minutes, with the three codes that the service uses. */
import type { TenantContext } from "../../context.ts";
import { DataverseProblem } from "./dataverse-error.ts";

const WINDOW_SECONDS = 300;

const LIMITS = {
  requests: {
    code: "0x80072322",
    setting: "dataverseRequests",
    documented: 6000,
    message: (limit: number) =>
      `Number of requests exceeded the limit of ${limit} over time window of ${WINDOW_SECONDS} seconds.`,
  },
  time: {
    code: "0x80072321",
    setting: "dataverseSeconds",
    documented: 1200,
    message: (limit: number) =>
      `Combined execution time of incoming requests exceeded limit of ${limit * 1000} milliseconds over time window of ${WINDOW_SECONDS} seconds. Decrease number of concurrent requests or reduce the duration of requests and try again later.`,
  },
  concurrency: {
    code: "0x80072326",
    setting: "dataverseConcurrent",
    documented: 52,
    message: (limit: number) => `Number of concurrent requests exceeded the limit of ${limit}.`,
  },
} as const;

type LimitName = keyof typeof LIMITS;

export interface ServiceProtection {
  /** Throws 429 if the user is over a limit; call `leave` when the request has ended. */
  enter(userId: string): { headers: Record<string, string>; leave(): void };
}

export function createServiceProtection(context: TenantContext): ServiceProtection {
  /** For each user, the number of requests per second. */
  const counts = new Map<string, Map<number, number>>();
  const running = new Map<string, number>();
  const limitOf = (name: string, documented: number) =>
    Number(context.switches[name] ?? documented);

  const used = (userId: string, second: number) => {
    const bySecond = counts.get(userId) ?? new Map<number, number>();
    counts.set(userId, bySecond);
    let sum = 0;
    for (const [at, count] of bySecond) {
      if (at <= second - WINDOW_SECONDS) bySecond.delete(at);
      else sum += count;
    }
    return { bySecond, sum };
  };

  return {
    enter(userId) {
      // The fault `service-protection` refuses by any of the limits, whatever was actually used.
      const fault = context.faults.strike("service-protection", {
        part: "dataverse",
        user: userId,
      });
      if (fault !== null) {
        const name = String(fault.options["limit"] ?? "requests") as LimitName;
        const { setting, documented } = LIMITS[name];
        const waitSeconds = Number(fault.options["retryAfterSeconds"] ?? 10);
        throw refuse(name, limitOf(setting, documented), waitSeconds);
      }
      const second = Math.floor(context.clock.now() / 1000);
      const { bySecond, sum } = used(userId, second);
      const requests = limitOf(LIMITS.requests.setting, LIMITS.requests.documented);
      const seconds = limitOf(LIMITS.time.setting, LIMITS.time.documented);
      const concurrent = limitOf(LIMITS.concurrency.setting, LIMITS.concurrency.documented);
      const secondsUsed = (sum * limitOf("dataverseMsPerRequest", 0)) / 1000;
      if (context.switches.throttling) {
        if ((running.get(userId) ?? 0) >= concurrent) throw refuse("concurrency", concurrent, 1);
        const oldest = bySecond.keys().next().value ?? second;
        const waitSeconds = Math.max(1, oldest + WINDOW_SECONDS - second);
        if (sum >= requests) throw refuse("requests", requests, waitSeconds);
        if (secondsUsed >= seconds) throw refuse("time", seconds, waitSeconds);
      }
      bySecond.set(second, (bySecond.get(second) ?? 0) + 1);
      running.set(userId, (running.get(userId) ?? 0) + 1);
      return {
        headers: {
          "x-ms-ratelimit-burst-remaining-xrm-requests": String(Math.max(0, requests - sum - 1)),
          "x-ms-ratelimit-time-remaining-xrm-requests": String(Math.max(0, seconds - secondsUsed)),
        },
        leave: () => void running.set(userId, (running.get(userId) ?? 1) - 1),
      };
    },
  };
}

function refuse(name: LimitName, limit: number, retryAfterSeconds: number): DataverseProblem {
  const { code, message } = LIMITS[name];
  return new DataverseProblem(429, code, message(limit), {
    "retry-after": String(retryAfterSeconds),
  });
}
