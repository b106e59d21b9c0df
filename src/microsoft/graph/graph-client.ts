/**
 * Microsoft Graph over plain HTTP. One call knows its mailbox, so that limits and pauses are kept per
 * mailbox. Short waits are waited out here; a long one is thrown as a fault that does not count as an
 * attempt, so that a job gives its place to another.
 */
import { type Backoff, backoffMs } from "../../lib/backoff.ts";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import { type Http, type HttpAnswer, pathOf } from "../../lib/http.ts";
import type { Random } from "../../lib/random.ts";
import type { TokenSource } from "../identity/app-token.ts";
import { GraphApiError, retryAfterMs } from "./graph-fault.ts";
import { CONCURRENT_PER_MAILBOX, type MailboxLimiter } from "./mailbox-limiter.ts";

export interface GraphCall {
  /** The mailbox whose limits the call is counted against; the app's own calls have none. */
  readonly mailbox?: string;
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Relative to `/v1.0`, or an absolute link that Graph gave us, which is used unchanged. */
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: object;
  /** Bytes in place of JSON; their type stands in the headers. */
  readonly content?: Uint8Array;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface BatchItem {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

export type BatchResult<T> =
  | { readonly isOk: true; readonly body: T }
  | { readonly isOk: false; readonly error: GraphApiError };

export interface GraphClient {
  /** The answer's JSON; an empty answer is undefined. Throws GraphApiError on anything but 2xx. */
  call<T = unknown>(call: GraphCall): Promise<T>;
  /** The answer's bytes, for MIME and attachments. */
  bytes(call: GraphCall): Promise<Buffer>;
  /** Reads many things of one mailbox, twenty to a request; the results stand in the order asked. */
  batch<T = unknown>(mailbox: string, items: readonly BatchItem[]): Promise<BatchResult<T>[]>;
}

export interface GraphClientNeeds {
  readonly http: Http;
  /** `https://graph.microsoft.com`, or the local tenant's. */
  readonly origin: string;
  readonly token: TokenSource;
  readonly limiter: MailboxLimiter;
  readonly clock: Clock;
  readonly random: Random;
  readonly backoff?: Backoff;
}

const TRIES = 5;
const BATCH_SIZE = 20;
/** A longer wait than this is the job's to wait out. */
const WAIT_HERE_MS = 10_000;
const PAUSE_MAX_MS = 600_000;
const DEFAULT_BACKOFF: Backoff = { firstMs: 500, capMs: 8_000 };
/** Ids that survive a move; without it every move would look like a new message. */
const IMMUTABLE_IDS = 'IdType="ImmutableId"';

export function createGraphClient(needs: GraphClientNeeds): GraphClient {
  const base = `${needs.origin}/v1.0`;
  const backoff = needs.backoff ?? DEFAULT_BACKOFF;

  const sendOnce = async (call: GraphCall, forceNew: boolean): Promise<HttpAnswer> => {
    const { prefer, ...headers } = lowerCaseNames(call.headers ?? {});
    return needs.http({
      method: call.method ?? "GET",
      url: toUrl(base, call.path),
      headers: {
        authorization: `Bearer ${await needs.token({ forceNew })}`,
        "content-type": "application/json",
        prefer: prefer === undefined ? IMMUTABLE_IDS : `${prefer}, ${IMMUTABLE_IDS}`,
        ...headers,
      },
      ...bodyOf(call),
      ...(call.timeoutMs === undefined ? {} : { timeoutMs: call.timeoutMs }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
  };

  /** Waits out what is short; answers false when the wait is the caller's. */
  const waitFor = async (
    call: GraphCall,
    attempt: number,
    askedForMs: number | undefined,
  ): Promise<boolean> => {
    const waitMs = backoffMs(backoff, attempt, needs.random, askedForMs ?? 0);
    if (attempt >= TRIES || waitMs > WAIT_HERE_MS) return false;
    await needs.clock.sleep(waitMs, call.signal);
    return call.signal?.aborted !== true;
  };

  const send = async <T>(call: GraphCall, read: (answer: HttpAnswer) => T): Promise<T> => {
    let refreshed = false;
    for (let attempt = 1; ; attempt++) {
      await restIfAsked(call);
      let answer: HttpAnswer;
      try {
        answer = await sendOnce(call, refreshed && attempt > 1);
        if (answer.status >= 200 && answer.status < 300) return read(answer);
      } catch (error) {
        // A broken connection, or half an answer: the same call may go through.
        if (!(error instanceof Fault) || error.remedy !== "retry") throw error;
        if (await waitFor(call, attempt, undefined)) continue;
        throw error;
      }
      const askedForMs = retryAfterMs(answer.headers["retry-after"], needs.clock.now());
      const error = new GraphApiError(pathOf(toUrl(base, call.path)), answer, askedForMs);
      if (error.status === 401 && !refreshed) {
        refreshed = true; // the token may have expired on the way; asked for anew once
        continue;
      }
      if (error.code === "graph.throttled" && call.mailbox !== undefined) {
        needs.limiter.pause(call.mailbox, Math.min(askedForMs ?? 0, PAUSE_MAX_MS));
      }
      const isPassing = error.code === "graph.throttled" || error.code === "graph.unavailable";
      if (isPassing && (await waitFor(call, attempt, askedForMs))) continue;
      throw error;
    }
  };

  const restIfAsked = async (call: GraphCall): Promise<void> => {
    const restMs = call.mailbox === undefined ? 0 : needs.limiter.restsForMs(call.mailbox);
    if (restMs === 0) return;
    if (restMs > WAIT_HERE_MS) {
      throw new Fault("graph.throttled", "Graph asked this mailbox to rest", {
        retryAfterMs: restMs,
      });
    }
    await needs.clock.sleep(restMs, call.signal);
  };

  const limited = <T>(call: GraphCall, read: (answer: HttpAnswer) => T, places = 1): Promise<T> =>
    call.mailbox === undefined
      ? send(call, read)
      : needs.limiter.run(call.mailbox, places, () => send(call, read));

  return {
    call: <T>(call: GraphCall) => limited(call, (answer) => parseJson(call, answer) as T),
    bytes: (call) => limited(call, (answer) => answer.body),
    async batch<T>(mailbox: string, items: readonly BatchItem[]): Promise<BatchResult<T>[]> {
      const results = new Array<BatchResult<T>>(items.length);
      for (let from = 0; from < items.length; from += BATCH_SIZE) {
        await batchOf(mailbox, items, indexesFrom(from, items.length), results);
      }
      return results;
    },
  };

  /** One `$batch`, and again for its throttled members. */
  async function batchOf<T>(
    mailbox: string,
    items: readonly BatchItem[],
    wanted: readonly number[],
    results: BatchResult<T>[],
  ): Promise<void> {
    let left = wanted;
    for (let attempt = 1; left.length > 0; attempt++) {
      const call: GraphCall = {
        mailbox,
        method: "POST",
        path: "/$batch",
        body: { requests: left.map((index) => toBatchRequest(index, items[index]!)) },
      };
      const { responses } = await limited(
        call,
        (answer) => parseJson(call, answer) as BatchAnswer,
        CONCURRENT_PER_MAILBOX,
      );
      const answered = new Set(responses.map((response) => Number(response.id)));
      if (left.some((index) => !answered.has(index)))
        throw new Fault("graph.bad-answer", "Graph did not answer every part of a batch");
      const passing: number[] = [];
      let askedForMs = 0;
      for (const response of responses) {
        const index = Number(response.id);
        const result = toResult<T>(items[index]!, response, needs.clock.now());
        results[index] = result;
        if (result.isOk || !isPassingFault(result.error)) continue;
        passing.push(index);
        askedForMs = Math.max(askedForMs, result.error.retryAfterMs ?? 0);
      }
      if (askedForMs > 0) needs.limiter.pause(mailbox, Math.min(askedForMs, PAUSE_MAX_MS));
      if (passing.length > 0 && !(await waitFor(call, attempt, askedForMs))) return;
      left = passing;
    }
  }
}

interface BatchAnswer {
  responses: { id: string; status: number; headers?: Record<string, string>; body?: unknown }[];
}

function toBatchRequest(index: number, item: BatchItem): object {
  return {
    id: String(index),
    method: item.method ?? "GET",
    url: item.path,
    headers: { Prefer: IMMUTABLE_IDS, ...item.headers },
  };
}

function toResult<T>(
  item: BatchItem,
  response: BatchAnswer["responses"][number],
  nowMs: number,
): BatchResult<T> {
  if (response.status >= 200 && response.status < 300)
    return { isOk: true, body: response.body as T };
  const headers = lowerCaseNames(response.headers ?? {});
  const answer = {
    status: response.status,
    headers,
    body: Buffer.from(JSON.stringify(response.body ?? {})),
  };
  const error = new GraphApiError(
    item.path.split("?")[0]!,
    answer,
    retryAfterMs(headers["retry-after"], nowMs),
  );
  return { isOk: false, error };
}

function isPassingFault(error: GraphApiError): boolean {
  return error.code === "graph.throttled" || error.code === "graph.unavailable";
}

function indexesFrom(from: number, length: number): number[] {
  return Array.from({ length: Math.min(BATCH_SIZE, length - from) }, (_, offset) => from + offset);
}

function parseJson(call: GraphCall, answer: HttpAnswer): unknown {
  if (answer.body.length === 0) return undefined;
  try {
    return JSON.parse(answer.body.toString("utf8"));
  } catch (error) {
    throw new Fault(
      "graph.bad-answer",
      `Graph's answer to ${call.path.split("?")[0]} is not JSON`,
      { cause: error },
    );
  }
}

function bodyOf({ content, body }: GraphCall): { body?: string | Uint8Array } {
  if (content !== undefined) return { body: content };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

function toUrl(base: string, path: string): string {
  if (/^https?:/i.test(path)) return path;
  return `${base}${path.startsWith("/") ? "" : "/"}${path}`;
}

function lowerCaseNames(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
