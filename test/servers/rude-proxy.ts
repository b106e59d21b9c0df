import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { forward, readAll } from "./forward.ts";

/** A proxy in front of a real server that misbehaves like a network: lost responses, outages, changed bytes. */
export interface RudeProxy {
  readonly url: string;
  /** How many requests of this method came through. */
  count(method: string): number;
  /** The server carries out the next such request, but its response never arrives. */
  loseNextAnswer(method: string): void;
  /** Every request is answered with this status and not passed on; null ends it. */
  answerAll(status: number | null): void;
  /** One byte of the next request's body is changed on the way. */
  damageNextBody(method: string): void;
  close(): Promise<void>;
}

export async function startRudeProxy(target: string): Promise<RudeProxy> {
  const counts = new Map<string, number>();
  let lose: string | null = null;
  let damage: string | null = null;
  let refuseWith: number | null = null;

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const method = incoming.method ?? "GET";
    counts.set(method, (counts.get(method) ?? 0) + 1);
    let body = await readAll(incoming);
    if (refuseWith !== null) {
      outgoing.writeHead(refuseWith, { "content-type": "text/plain" }).end("down");
      return;
    }
    if (damage === method) {
      damage = null;
      body = Buffer.from(body);
      const last = body.lastIndexOf("%%EOF"); // inside the content, also of a multipart body
      body.writeUInt8(0x21, last === -1 ? body.length - 1 : last);
    }
    const answer = await forward(target, incoming, body);
    if (lose === method) {
      lose = null;
      incoming.socket.destroy();
      return;
    }
    outgoing.writeHead(answer.status, answer.headers).end(answer.body);
  };

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: (method) => counts.get(method) ?? 0,
    loseNextAnswer: (method) => {
      lose = method;
    },
    answerAll: (status) => {
      refuseWith = status;
    },
    damageNextBody: (method) => {
      damage = method;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
