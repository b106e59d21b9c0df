import type { FastifyReply, FastifyRequest } from "fastify";
import { every, systemClock } from "../../lib/clock.ts";
import { tooMany } from "./problem.ts";

/** Server-sent events for one client. A client that does not read is disconnected. */
export interface EventStream {
  send(event: string, data: unknown, id?: string): void;
  readonly isClosed: boolean;
  readonly signal: AbortSignal;
  close(): void;
}

const UNREAD_BYTES_MAX = 256 * 1024;
/** A person has a few tabs open; every stream costs a query every half second. */
const STREAMS_PER_PERSON = 10;
const STREAMS_MAX = 500;
const RECHECK_MS = 60_000;

/** Number of streams that each person has open in this process. */
const open = new Map<string, number>();

/**
 * Throws 429 if the person or the process has too many. The stream ends when the token does. In the form `data`, events
 * have no name: their type is part of the data.
 */
export function openStream(
  request: FastifyRequest,
  reply: FastifyReply,
  recheckMs = RECHECK_MS,
  form: "events" | "data" = "events",
): EventStream {
  takePlace(request.caller.id);
  const closed = new AbortController();
  closed.signal.addEventListener("abort", () => leavePlace(request.caller.id), { once: true });
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    connection: "keep-alive",
  });
  if (form === "events") raw.write("retry: 3000\n\n");
  else raw.flushHeaders();
  // The request itself closes as soon as its body has been read.
  raw.once("close", () => closed.abort());
  raw.once("error", () => closed.abort());
  const stream: EventStream = {
    send(event, data, id) {
      if (closed.signal.aborted) return;
      const name = form === "data" ? "" : `event: ${event}\n`;
      raw.write(`${id === undefined ? "" : `id: ${id}\n`}${name}data: ${JSON.stringify(data)}\n\n`);
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
  const endRefused = () => {
    const refused = { title: "Unauthorized" };
    stream.send(
      "error",
      form === "events"
        ? refused
        : { type: "error", content: null, done: true, error: refused.title },
    );
    stream.close();
  };
  const stopChecking = every(systemClock, recheckMs, request.recheck, endRefused);
  closed.signal.addEventListener("abort", () => void stopChecking(), { once: true });
  return stream;
}

function takePlace(person: string): void {
  const ownStreams = open.get(person) ?? 0;
  const allStreams = [...open.values()].reduce((sum, count) => sum + count, 0);
  if (ownStreams >= STREAMS_PER_PERSON || allStreams >= STREAMS_MAX)
    throw tooMany("too many streams are open; close one and try again");
  open.set(person, ownStreams + 1);
}

function leavePlace(person: string): void {
  const left = open.get(person)! - 1;
  if (left === 0) open.delete(person);
  else open.set(person, left);
}
