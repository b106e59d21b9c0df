/**
 * How well an endpoint answers, over windows of ten minutes. After too many slow answers, new items wait ten
 * minutes; after too many very slow ones, everything is dropped for ten minutes and lost. Then a few
 * deliveries decide what happens next.
 */
import type { TenantContext } from "../../context.ts";
import { graphSwitch } from "../call/graph-switches.ts";

export type EndpointMode = "ok" | "slow" | "drop" | "probing";

export interface EndpointHealth {
  modeOf(url: string): EndpointMode;
  /** Records how long an answer took; a timeout counts as longer than its limit. */
  note(url: string, tookMs: number): void;
  modes(): { endpoint: string; mode: EndpointMode }[];
  reset(): void;
}

interface Endpoint {
  mode: EndpointMode;
  answers: { atMs: number; tookMs: number }[];
}

export const WINDOW_MS = 10 * 60_000;
const SLOW_MS = 3_000;
const SLOW_SHARE = 0.1;
const DROP_MS = 10_000;
const DROP_SHARE = 0.15;
/** Number of good answers that end the probing. */
const PROBES = 3;

export function createEndpointHealth(
  context: TenantContext,
  onDropEnded: (endpoint: string) => void,
): EndpointHealth {
  const { clock, journal, switches } = context;
  const endpoints = new Map<string, Endpoint>();

  const endpointOf = (url: string): Endpoint => {
    const name = endpointName(url);
    const known = endpoints.get(name);
    if (known) return known;
    const made: Endpoint = { mode: "ok", answers: [] };
    endpoints.set(name, made);
    return made;
  };

  const enter = (name: string, endpoint: Endpoint, mode: "slow" | "drop") => {
    endpoint.mode = mode;
    endpoint.answers = [];
    journal.record(`endpoint.${mode}`, { endpoint: name });
    clock.after(WINDOW_MS, () => {
      if (endpoint.mode !== mode) return;
      endpoint.mode = "probing";
      endpoint.answers = [];
      journal.record("endpoint.probing", { endpoint: name });
      if (mode === "drop") onDropEnded(name);
    });
  };

  return {
    modeOf: (url) => endpoints.get(endpointName(url))?.mode ?? "ok",
    note(url, tookMs) {
      const endpoint = endpointOf(url);
      const nowMs = clock.now();
      endpoint.answers = endpoint.answers.filter((each) => each.atMs > nowMs - WINDOW_MS);
      endpoint.answers.push({ atMs: nowMs, tookMs });
      const { length } = endpoint.answers;
      const isProbing = endpoint.mode === "probing";
      if (length < (isProbing ? 1 : graphSwitch(switches, "endpointAnswersMin"))) return;
      const share = (limitMs: number) =>
        endpoint.answers.filter((each) => each.tookMs > limitMs).length / length;
      const name = endpointName(url);
      if (share(DROP_MS) > DROP_SHARE) enter(name, endpoint, "drop");
      else if (share(SLOW_MS) > SLOW_SHARE && endpoint.mode !== "slow")
        enter(name, endpoint, "slow");
      else if (isProbing && length >= PROBES) {
        endpoint.mode = "ok";
        journal.record("endpoint.ok", { endpoint: name });
      }
    },
    modes: () => [...endpoints].map(([endpoint, { mode }]) => ({ endpoint, mode })),
    reset: () => endpoints.clear(),
  };
}

/** All subscriptions at one address count together; a different query is not another endpoint. */
export function endpointName(url: string): string {
  return url.split("?", 1)[0]!;
}
