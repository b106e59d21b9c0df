/** Our Graph client, pointed at the canned answers. */
import { systemClock } from "../src/lib/clock.ts";
import { createHttp } from "../src/lib/http.ts";
import { systemRandom } from "../src/lib/random.ts";
import { createGraphClient, type GraphClient } from "../src/microsoft/graph/graph-client.ts";
import { createMailboxLimiter } from "../src/microsoft/graph/mailbox-limiter.ts";

export function openGraph(origin: string): { graph: GraphClient; close(): Promise<void> } {
  const http = createHttp({ allowedOrigins: [origin], unavailable: "graph.unavailable" });
  const graph = createGraphClient({
    ...{ http, origin },
    token: async () => "bench",
    limiter: createMailboxLimiter(systemClock),
    clock: systemClock,
    random: systemRandom,
  });
  return { graph, close: http.close };
}
