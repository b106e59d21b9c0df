/**
 * One port for everything that a Service Bus endpoint serves. The first byte of a connection reveals its
 * protocol: AMQP, HTTP for the management API, or TLS around either of them.
 */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createSecureContext, TLSSocket } from "node:tls";
import type { TenantRequest, TenantResponse } from "../../http.ts";

export interface TlsFiles {
  readonly key: string;
  readonly cert: string;
}

interface PortOptions {
  readonly port: number;
  readonly tls: TlsFiles | null;
  onAmqp(socket: Duplex): void;
  onHttp(request: TenantRequest): Promise<TenantResponse>;
}

export interface OpenPort {
  readonly number: number;
  close(): Promise<void>;
}

export async function openPort(options: PortOptions): Promise<OpenPort> {
  const sockets = new Set<Socket>();
  const http = createHttpServer((request, response) => void answer(options, request, response));
  const secureContext = options.tls === null ? null : createSecureContext(options.tls);

  const route = (socket: Duplex) => {
    socket.once("readable", () => {
      const first: Buffer | null = socket.read(1);
      if (first === null) return;
      socket.unshift(first);
      if (first[0] === 0x16 && secureContext !== null) {
        route(new TLSSocket(socket, { isServer: true, secureContext }));
      } else if (first[0] === 0x41) options.onAmqp(socket);
      else http.emit("connection", socket);
    });
    socket.on("error", () => socket.destroy());
  };

  const server: Server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    route(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", () => resolve());
  });

  return {
    number: (server.address() as { port: number }).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
        http.close();
      }),
  };
}

async function answer(
  { onHttp }: PortOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const { status, headers, body } = await onHttp({
    method: request.method ?? "GET",
    url,
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers as Record<string, string | undefined>,
    params: {},
    body: Buffer.concat(chunks),
  });
  response.writeHead(status, headers);
  response.end(body === undefined || body === null ? "" : (body as string));
}
