import { once } from "node:events";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { guardRoutes } from "../access/access.ts";
import { handleErrors, unauthorized } from "./problem.ts";
import { openStream } from "./stream.ts";

let app: FastifyInstance;
let isTokenGood: boolean;
const requests: ClientRequest[] = [];

beforeEach(async () => {
  isTokenGood = true;
  app = Fastify();
  handleErrors(app);
  guardRoutes(app, {
    authorize: async (request) => {
      if (!isTokenGood) throw unauthorized("expired");
      return { id: String(request.headers["x-caller"]), role: null };
    },
    // Reading is not logged as an action, so these are never used.
    ...({} as { database: never; random: never; log: never }),
  });
  app.get("/stream", { config: { access: "person" } }, async (request, reply) => {
    openStream(request, reply, 20);
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(async () => {
  for (const request of requests.splice(0)) request.destroy();
  app.server.closeAllConnections();
  await app.close();
});

async function openAs(caller: string): Promise<IncomingMessage> {
  const { port } = app.server.address() as AddressInfo;
  const request = get({
    port,
    host: "127.0.0.1",
    path: "/stream",
    headers: { "x-caller": caller },
  });
  request.on("error", () => {});
  requests.push(request);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.on("error", () => {});
  return response.setEncoding("utf8");
}

describe("a stream", () => {
  it("ends with an error event once the token is no longer valid", async () => {
    const response = await openAs("nina");
    let text = "";
    response.on("data", (chunk: string) => {
      text += chunk;
    });
    isTokenGood = false;
    await once(response, "end");
    expect(text).toContain('event: error\ndata: {"title":"Unauthorized"}');
  });

  it("a person may have ten, another person still gets one, and closing one makes room", async () => {
    const opened = [];
    for (let n = 0; n < 10; n++) opened.push(await openAs("nina"));
    expect(opened.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
    expect((await openAs("nina")).statusCode).toBe(429);
    expect((await openAs("omar")).statusCode).toBe(200);
    opened[0]!.destroy();
    await expect.poll(async () => (await openAs("nina")).statusCode).toBe(200);
  });
});
