/** Checks that the public address leads to us, with the request that Graph sends before it creates a subscription. */
import type { Clock } from "../../lib/clock.ts";
import type { Http } from "../../lib/http.ts";
import type { Random } from "../../lib/random.ts";

export interface WebhookProbe {
  /** Null if the address answers as Graph needs, otherwise the reason. The result is kept for a minute. */
  whyUnreachable(): Promise<string | null>;
}

const REMEMBER_MS = 60_000;
const ANSWER_MS = 10_000;

export function createWebhookProbe(needs: {
  http: Http;
  /** The public base address. */
  url: string;
  clock: Clock;
  random: Random;
  /** Makes a guarded intake accept the handshake with this one token. */
  expect?: <T>(token: string, task: () => Promise<T>) => Promise<T>;
}): WebhookProbe {
  let known: { atMs: number; answer: Promise<string | null> } | null = null;
  return {
    whyUnreachable() {
      const nowMs = needs.clock.now();
      if (known === null || nowMs - known.atMs > REMEMBER_MS)
        known = { atMs: nowMs, answer: probe(needs) };
      return known.answer;
    },
  };
}

async function probe(
  needs: Pick<Parameters<typeof createWebhookProbe>[0], "http" | "url" | "random" | "expect">,
): Promise<string | null> {
  const token = `Postroom: is this address ours? ${needs.random.uuid()}`;
  try {
    const ask = () =>
      needs.http({
        method: "POST",
        url: `${needs.url}/webhooks/graph?${new URLSearchParams({ validationToken: token })}`,
        headers: { "content-type": "text/plain; charset=utf-8" },
        timeoutMs: ANSWER_MS,
      });
    const answer = await (needs.expect === undefined ? ask() : needs.expect(token, ask));
    return judge(answer.status, answer.headers["location"], answer.body.toString("utf8") === token);
  } catch (error) {
    return `no answer (${(error as Error).message})`;
  }
}

function judge(status: number, location: string | undefined, isEcho: boolean): string | null {
  if (status >= 300 && status < 400)
    return `it redirects (${status}${location === undefined ? "" : ` to ${location.split("?")[0]}`}), and Graph follows no redirect; set GRAPH_WEBHOOK_URL to the final address`;
  if (status === 401 || status === 403)
    return `something in front answers ${status}; let POST /webhooks/graph through without sign-in or bot check`;
  if (status === 404) return "it answers 404; the tunnel or proxy does not lead to this server";
  if (status !== 200) return `it answers ${status} instead of 200`;
  return isEcho
    ? null
    : "it answers 200 with a text that is not ours; another server listens there";
}
