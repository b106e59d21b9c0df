/** A program on this machine that takes webhooks, or does not. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  /** Every request, taken or not. */
  readonly requests: Received[];
  /** The ids that were answered with success. */
  readonly taken: string[];
  /** What to answer next; "break" takes the message and breaks the connection. */
  answer: (received: Received) => number | "break";
  headers: Record<string, string>;
  down(): Promise<void>;
  up(): Promise<void>;
}

export async function aReceiver(): Promise<Receiver> {
  let port = 0;
  let server: Server | null = null;
  const receiver: Receiver = {
    requests: [],
    taken: [],
    answer: () => 204,
    headers: {},
    get url() {
      return `http://127.0.0.1:${port}/hook`;
    },
    async up() {
      server = createServer(async (request, response) => {
        const body = Buffer.concat(await request.toArray()).toString();
        const received = { headers: request.headers, body };
        receiver.requests.push(received);
        const answer = receiver.answer(received);
        if (answer === "break" || answer < 300)
          receiver.taken.push(String(request.headers["webhook-id"]));
        if (answer === "break") return void request.socket.destroy();
        response.writeHead(answer, { connection: "close", ...receiver.headers }).end();
      });
      await new Promise<void>((done) => server!.listen(port, "127.0.0.1", done));
      port = (server.address() as AddressInfo).port;
    },
    async down() {
      const ending = server;
      server = null;
      if (ending === null) return;
      await new Promise((done) => {
        ending.close(done);
        ending.closeAllConnections();
      });
    },
  };
  await receiver.up();
  return receiver;
}
