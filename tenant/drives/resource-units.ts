/**
 * SharePoint's throttling: every call costs resource units, which are counted per minute for the container,
 * the app and the user. Refused calls count too.
 */
import type { Caller, TenantContext } from "../context.ts";
import { GraphProblem } from "../graph/call/graph-error.ts";
import type { TenantRequest } from "../http.ts";

const MINUTE_MS = 60_000;
/** From this share of the app's quota on, responses carry RateLimit headers. */
const WARNING_SHARE = 0.8;

export interface ResourceUnits {
  /** Throws 429 if a quota is used up; otherwise returns the headers for the response. */
  charge(caller: Caller, containerId: string, units: number): Record<string, string>;
}

export function createResourceUnits(context: TenantContext): ResourceUnits {
  let minute = -1;
  const used = new Map<string, number>();
  const limitOf = (name: string, documented: number) =>
    Number(context.switches[name] ?? documented);

  return {
    charge(caller, containerId, units) {
      if (!context.switches.throttling) return {};
      const nowMs = context.clock.now();
      if (Math.floor(nowMs / MINUTE_MS) !== minute) {
        minute = Math.floor(nowMs / MINUTE_MS);
        used.clear();
      }
      const resetSeconds = Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / 1000);
      const appLimit = limitOf("driveUnitsPerApp", 12_000);
      const quotas: [string, number][] = [
        [`container ${containerId}`, limitOf("driveUnitsPerContainer", 3_000)],
        [`app ${caller.appId}`, appLimit],
      ];
      if (!caller.isAppOnly) {
        quotas.push([`user ${caller.objectId}`, limitOf("driveUnitsPerUser", 600)]);
      }
      for (const [name] of quotas) used.set(name, (used.get(name) ?? 0) + units);
      const appUsed = used.get(`app ${caller.appId}`)!;
      const headers: Record<string, string> =
        appUsed < appLimit * WARNING_SHARE
          ? {}
          : {
              "ratelimit-limit": String(appLimit),
              "ratelimit-remaining": String(Math.max(0, appLimit - appUsed)),
              "ratelimit-reset": String(resetSeconds),
            };
      const over = quotas.find(([name, limit]) => used.get(name)! > limit);
      if (over === undefined) return headers;
      throw new GraphProblem(429, "activityLimitReached", "The app or user has been throttled.", {
        headers: { ...headers, "retry-after": String(resetSeconds) },
        innerCode: "throttledRequest",
      });
    },
  };
}

/** One unit for a single read, a download or a delta with a token; two for lists and writes; five for permissions. */
export function costOf(request: TenantRequest, action: string): number {
  if (/^permissions/i.test(action)) return 5;
  if (request.method !== "GET") return 2;
  if (/^delta/i.test(action)) return request.query.has("token") || action.includes("(") ? 1 : 2;
  return /^(children|versions)$/i.test(action) ? 2 : 1;
}
