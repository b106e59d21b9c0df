import type { OutgoingAnswer, OutgoingRequest, TenantContext } from "../../context.ts";
import { graphSwitch } from "../call/graph-switches.ts";

const REDIRECTS_MAX = 3;

/**
 * Calls an endpoint; a switch decides whether it follows redirects, because the documentation does not say.
 */
export async function sendOut(
  context: TenantContext,
  request: OutgoingRequest,
): Promise<OutgoingAnswer> {
  let answer = await context.send(request);
  if (!graphSwitch(context.switches, "followRedirects")) return answer;
  for (
    let count = 0;
    count < REDIRECTS_MAX && answer.status >= 300 && answer.status < 400;
    count++
  ) {
    const location = headerOf(answer.headers, "location");
    if (location === null || !URL.canParse(location, request.url)) return answer;
    const next = await context.send({ ...request, url: new URL(location, request.url).href });
    answer = { ...next, tookMs: answer.tookMs + next.tookMs };
  }
  return answer;
}

export function headerOf(headers: Record<string, string>, wanted: string): string | null {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted);
  return found?.[1] ?? null;
}
