import { Agent, request } from "undici";
import type { OutgoingAnswer, OutgoingRequest } from "./context.ts";

/** How the tenant makes network calls; a failed or late connection is status 0. */
export function createOutgoing() {
  // A receiver on a laptop has a self-signed certificate; protecting it is not the tenant's job.
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  return {
    async send(outgoing: OutgoingRequest): Promise<OutgoingAnswer> {
      const startedMs = performance.now();
      const answered = (status: number, headers: Record<string, string>, body: string) => ({
        status,
        headers,
        body,
        tookMs: performance.now() - startedMs,
      });
      try {
        const answer = await request(outgoing.url, {
          method: "POST",
          headers: outgoing.headers,
          body: outgoing.body,
          dispatcher: agent,
          signal: AbortSignal.timeout(outgoing.timeoutMs),
        });
        const body = await answer.body.text();
        return answered(answer.statusCode, flatten(answer.headers), body);
      } catch {
        return answered(0, {}, ""); // refused, reset or too late: the sender does not care which
      }
    },
    stop: () => agent.destroy(),
  };
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}
