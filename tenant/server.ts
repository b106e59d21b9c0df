import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import type { Clock } from "./clock.ts";
import type { FinishedResponse } from "./dispatch.ts";
import { createTenantRequest, type TenantRequest } from "./http.ts";

const BODY_BYTES_MAX = 160 * 1024 * 1024;

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  readonly tls: { readonly key: string; readonly cert: string } | null;
  dispatch(request: TenantRequest): Promise<FinishedResponse>;
}

export interface TenantServer {
  readonly port: number;
  close(): Promise<void>;
}

/** The tenant's one socket: reads whole requests, and acts out network faults. */
export async function startServer(options: ServerOptions): Promise<TenantServer> {
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    handle(options, incoming, outgoing).catch((error: unknown) => {
      // The caller has disconnected, or its body never ended; there is nobody left to answer.
      if (!outgoing.destroyed) outgoing.destroy(error as Error);
    });
  };
  const server = options.tls ? https.createServer(options.tls, answer) : http.createServer(answer);
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function handle(
  options: ServerOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.sendDate = false; // the date comes from the tenant's clock, not the machine's
  const body = await readBody(incoming);
  if (body === null) {
    outgoing.writeHead(413, { connection: "close" }).end();
    return;
  }
  const scheme = options.tls ? "https" : "http";
  const request = createTenantRequest({
    method: incoming.method ?? "GET",
    target: incoming.url ?? "/",
    origin: `${scheme}://${incoming.headers.host ?? "127.0.0.1"}`,
    headers: incoming.headers as Record<string, string | undefined>,
    body,
  });
  write(options.clock, outgoing, await options.dispatch(request));
}

async function readBody(incoming: IncomingMessage): Promise<Buffer | null> {
  if (
    incoming.headers["content-length"] === undefined &&
    incoming.headers["transfer-encoding"] === undefined
  ) {
    return Buffer.alloc(0);
  }
  if (Number(incoming.headers["content-length"] ?? 0) > BODY_BYTES_MAX) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    length += (chunk as Buffer).length;
    if (length > BODY_BYTES_MAX) return null;
    chunks.push(chunk as Buffer);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function write(clock: Clock, outgoing: ServerResponse, response: FinishedResponse): void {
  const wire = response.wire ?? {};
  if (wire.hang) return;
  if (wire.delayMs) {
    const late = { ...response, wire: { ...wire, delayMs: 0 } };
    clock.after(wire.delayMs, () => write(clock, outgoing, late));
    return;
  }
  if (wire.reset) {
    outgoing.socket?.resetAndDestroy();
    return;
  }
  const hasBody = response.status !== 204 && response.status !== 304;
  const headers = hasBody
    ? { ...response.headers, "content-length": String(response.body.length) }
    : response.headers;
  outgoing.writeHead(response.status, headers);
  if (wire.cutAfterBytes === undefined) {
    outgoing.end(hasBody ? response.body : undefined);
    return;
  }
  const kept = response.body.subarray(0, wire.cutAfterBytes);
  outgoing.write(kept, () => outgoing.socket?.destroy());
}
