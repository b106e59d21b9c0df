import { createClient, type PostroomClient } from "../../src/client/index.ts";
import type { TestApp } from "./app.ts";

/** The client that other programs use, without a socket; by default with the operator's key. */
export function clientFor(
  { server, operatorKey }: Pick<TestApp, "server" | "operatorKey">,
  token: string = operatorKey,
): PostroomClient {
  return createClient({
    url: "http://postroom.test",
    token,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const answer = await server.inject({
        method: request.method as "GET",
        url: `${pathname}${search}`,
        headers: Object.fromEntries(request.headers),
        ...(request.body === null ? {} : { payload: Buffer.from(await request.arrayBuffer()) }),
      });
      const hasBody = answer.statusCode !== 204;
      return new Response(hasBody ? answer.body : null, {
        status: answer.statusCode,
        headers: answer.headers as Record<string, string>,
      });
    },
  });
}
