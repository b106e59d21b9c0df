import type { FastifyReply, FastifyRequest } from "fastify";

/** Server-sent events for one client. A client that does not read is disconnected. */
export interface EventStream {
  send(event: string, data: unknown, id?: string): void;
  readonly isClosed: boolean;
  readonly signal: AbortSignal;
  close(): void;
}

const UNREAD_BYTES_MAX = 256 * 1024;

export function openStream(request: FastifyRequest, reply: FastifyReply): EventStream {
  const closed = new AbortController();
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    connection: "keep-alive",
  });
  raw.write("retry: 3000\n\n");
  request.raw.once("close", () => closed.abort());
  raw.once("error", () => closed.abort());
  return {
    send(event, data, id) {
      if (closed.signal.aborted) return;
      raw.write(
        `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
      );
      if (raw.writableLength > UNREAD_BYTES_MAX) {
        closed.abort();
        raw.destroy();
      }
    },
    get isClosed() {
      return closed.signal.aborted;
    },
    signal: closed.signal,
    close() {
      closed.abort();
      raw.end();
    },
  };
}
