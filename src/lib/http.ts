import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { Agent, request as undiciRequest } from "undici";
import { Fault, type FaultCode } from "./fault.ts";

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  /** Sent in place of `body`; a header must give its length. */
  readonly stream?: Readable;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Sends one request and returns the response, whatever its status; throws a Fault if the response is not
 * complete.
 */
export type Http = (request: HttpRequest) => Promise<HttpAnswer>;

const BODY_BYTES_MAX = 160 * 1024 * 1024;

/**
 * HTTP to an allow-list of hosts. Links from responses (nextLink, deltaLink, Location) are checked here too,
 * so a forged one cannot carry our bearer token elsewhere. Redirects are never followed.
 */
export function createHttp(options: {
  allowedOrigins: readonly string[];
  /** Allows further URLs, because the hosts of upload sessions differ by tenant. */
  allows?: (url: URL) => boolean;
  /** The fault code of a broken connection. */
  unavailable: FaultCode;
  timeoutMs?: number;
  connections?: number;
  ca?: string;
  /** Replaces the system's DNS lookup, so that addresses can be refused. */
  lookup?: LookupFunction;
  /** A longer response is a fault. */
  answerBytesMax?: number;
}): Http & { close(): Promise<void> } {
  const allowed = new Set(options.allowedOrigins.map((origin) => new URL(origin).origin));
  const agent = new Agent({
    connections: options.connections ?? 64,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    connect: {
      timeout: 5_000,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
      ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
    },
  });
  const defaultTimeoutMs = options.timeoutMs ?? 30_000;

  const send: Http = async (request) => {
    assertAllowed(request.url, allowed, options.allows);
    const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
    try {
      const answer = await undiciRequest(request.url, {
        dispatcher: agent,
        method: request.method as "GET",
        headers: request.headers ?? {},
        body: request.stream ?? request.body ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      });
      return {
        status: answer.statusCode,
        headers: flatten(answer.headers),
        body: await readCapped(answer.body, options.answerBytesMax ?? BODY_BYTES_MAX),
      };
    } catch (error) {
      if (error instanceof Fault) throw error;
      const text = error instanceof Error ? error.message : String(error);
      throw new Fault(options.unavailable, `${request.method} ${pathOf(request.url)}: ${text}`, {
        cause: error,
      });
    }
  };
  return Object.assign(send, { close: () => agent.destroy() });
}

function assertAllowed(
  url: string,
  allowed: ReadonlySet<string>,
  allows: (url: URL) => boolean = () => false,
): void {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const isAllowed =
    parsed !== null &&
    parsed.username === "" &&
    parsed.password === "" &&
    (allowed.has(parsed.origin) || allows(parsed));
  if (!isAllowed) {
    throw new Fault(
      "http.host-not-allowed",
      "a link points to a host that is not on the allow-list",
      {
        facts: { host: parsed?.host ?? "not a URL" },
      },
    );
  }
}

/** Only the path, because a query may contain tokens. */
export function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : "(not a URL)";
}

/** Header names are case-insensitive, so ours are all lower case. */
export function lowerCaseNames(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** For libraries that call `fetch` themselves: an endless response must not exhaust the memory. */
export function cappedFetch(answerBytesMax: number): typeof fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    if (answer.body === null) return answer;
    let size = 0;
    const cap = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length;
        if (size <= answerBytesMax) controller.enqueue(chunk);
        else controller.error(new Error(`the response is larger than ${answerBytesMax} bytes`));
      },
    });
    const { status, statusText, headers } = answer;
    return new Response(answer.body.pipeThrough(cap), { status, statusText, headers });
  };
}

async function readCapped(body: AsyncIterable<Buffer>, sizeBytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > sizeBytesMax) throw new Error(`the response is larger than ${sizeBytesMax} bytes`);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}
