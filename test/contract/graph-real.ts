import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { behaveWell } from "./graph-local.ts";
import type { Behaviour, GraphTarget, ReceivedRequest, Receiver } from "./graph-target.ts";

/**
 * A real tenant by settings, or null without them: `TENANT_GRAPH` (https://graph.microsoft.com),
 * `TENANT_GRAPH_TOKEN`, `TENANT_MAILBOX_ID`; and for subscriptions `TENANT_RECEIVER_URL`, a public
 * https address that leads to `TENANT_RECEIVER_PORT` on this machine.
 */
export function realGraphTarget(settings: NodeJS.ProcessEnv): GraphTarget | null {
  const { TENANT_GRAPH, TENANT_GRAPH_TOKEN, TENANT_MAILBOX_ID } = settings;
  if (!TENANT_GRAPH || !TENANT_GRAPH_TOKEN || !TENANT_MAILBOX_ID) return null;
  const { TENANT_RECEIVER_URL, TENANT_RECEIVER_PORT } = settings;
  const receiver = TENANT_RECEIVER_URL
    ? openReceiver(TENANT_RECEIVER_URL, Number(TENANT_RECEIVER_PORT ?? 8080))
    : undefined;
  return {
    graph: TENANT_GRAPH,
    token: async () => TENANT_GRAPH_TOKEN,
    mailbox: TENANT_MAILBOX_ID,
    ...(receiver ? { receiver } : {}),
    pass: async (ms) => void (await sleep(Math.min(ms, 5000))),
    now: () => Date.now(),
  };
}

function openReceiver(url: string, port: number): Receiver {
  const requests: ReceivedRequest[] = [];
  let behaviour: Behaviour = behaveWell;
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const request: ReceivedRequest = {
      url: new URL(incoming.url ?? "/", url).href,
      body: Buffer.concat(chunks).toString("utf8"),
      contentType: incoming.headers["content-type"] ?? "",
      atMs: Date.now(),
    };
    requests.push(request);
    const answer = behaviour(request);
    await sleep(answer.tookMs ?? 0);
    outgoing.writeHead(answer.status ?? 202, {
      "content-type": answer.contentType ?? "text/plain",
    });
    outgoing.end(answer.body ?? "");
  });
  server.listen(port);
  server.unref();
  return {
    url,
    requests,
    behave(next) {
      behaviour = next ?? behaveWell;
    },
  };
}
