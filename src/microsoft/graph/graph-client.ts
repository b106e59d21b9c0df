/**
 * Microsoft Graph over plain HTTP. Each call names its mailbox, so that limits and pauses apply per mailbox.
 * `transport/` decides how calls are sent and repeated.
 */
import type { Clock } from "../../lib/clock.ts";
import { type Http, lowerCaseNames } from "../../lib/http.ts";
import type { Random } from "../../lib/random.ts";
import { waitOut } from "../transport/patience.ts";
import {
  type ApiCall,
  createTransport,
  type Limiter,
  type TokenSource,
} from "../transport/transport.ts";
import {
  BATCH_SIZE,
  type BatchAnswer,
  type BatchItem,
  type BatchResult,
  readBatch,
} from "./batch.ts";
import { GRAPH } from "./graph-api.ts";
import { CONCURRENT_PER_MAILBOX } from "./mailbox-limiter.ts";

export interface GraphCall {
  /** The mailbox whose limits the call counts against; the app's own calls have none. */
  readonly mailbox?: string;
  readonly method?: ApiCall["method"];
  /** Relative to `/v1.0`, or an absolute link that Graph gave us, which is used unchanged. */
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: object;
  /** Bytes instead of JSON; the headers state their type. */
  readonly content?: Uint8Array;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** See `ApiCall`. */
  readonly isSafeTwice?: boolean;
}

export interface GraphClient {
  /**
   * Returns the response's JSON; undefined if the response is empty. Throws GraphApiError on anything but
   * 2xx.
   */
  call<T = unknown>(call: GraphCall): Promise<T>;
  /** Returns the response's bytes, for MIME and attachments. */
  bytes(call: GraphCall): Promise<Buffer>;
  /** Reads many things of one mailbox, twenty per request; the results keep the order of the items. */
  batch<T = unknown>(mailbox: string, items: readonly BatchItem[]): Promise<BatchResult<T>[]>;
}

export interface GraphClientNeeds {
  readonly http: Http;
  /** `https://graph.microsoft.com`, or the local tenant's. */
  readonly origin: string;
  readonly token: TokenSource;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly random: Random;
}

/** Requests ids that survive a move; without them, every move would look like a new message. */
const IMMUTABLE_IDS = 'IdType="ImmutableId"';

export function createGraphClient(needs: GraphClientNeeds): GraphClient {
  const { origin, limiter, clock } = needs;
  const transport = createTransport(GRAPH, needs);
  const wire = (call: GraphCall, places = 1) => toApiCall(`${origin}/v1.0`, call, places);

  /** Sends one `$batch`, and sends its throttled members again. */
  const batchOf = async <T>(
    mailbox: string,
    items: readonly BatchItem[],
    wanted: readonly number[],
    results: BatchResult<T>[],
  ): Promise<void> => {
    let left = wanted;
    for (let attempt = 1; left.length > 0; attempt++) {
      const requests = left.map((index) => toBatchRequest(index, items[index]!));
      const call = { method: "POST", path: "/$batch", body: { requests } } as const;
      // Graph runs four members of a batch at a time, so a batch takes all slots of its mailbox.
      const answer = await transport.json<BatchAnswer>(
        wire({ ...call, mailbox, isSafeTwice: true }, CONCURRENT_PER_MAILBOX),
      );
      const passing: number[] = [];
      let askedForMs = 0;
      for (const [index, result] of readBatch<T>(items, left, answer, clock.now())) {
        results[index] = result;
        if (result.isOk || !isTemporary(result)) continue;
        passing.push(index);
        askedForMs = Math.max(askedForMs, result.error.retryAfterMs ?? 0);
      }
      if (askedForMs > 0) limiter.pause(mailbox, askedForMs);
      if (passing.length > 0 && !(await waitOut(GRAPH.patience, needs, attempt, askedForMs)))
        return;
      left = passing;
    }
  };

  return {
    call: <T>(call: GraphCall) => transport.json<T>(wire(call)),
    bytes: (call) => transport.send(wire(call), (answer) => answer.body),
    async batch<T>(mailbox: string, items: readonly BatchItem[]): Promise<BatchResult<T>[]> {
      const results = new Array<BatchResult<T>>(items.length);
      const indexes = [...items.keys()];
      for (let from = 0; from < items.length; from += BATCH_SIZE) {
        await batchOf(mailbox, items, indexes.slice(from, from + BATCH_SIZE), results);
      }
      return results;
    },
  };
}

function isTemporary({ error }: BatchResult<unknown> & { isOk: false }): boolean {
  return error.remedy === "wait" || error.remedy === "retry";
}

function toBatchRequest(index: number, item: BatchItem): object {
  return {
    id: String(index),
    method: "GET",
    url: item.path,
    headers: { Prefer: IMMUTABLE_IDS, ...item.headers },
  };
}

function toApiCall(base: string, call: GraphCall, places: number): ApiCall {
  const { mailbox, method = "GET", path, content, body, ...rest } = call;
  const { prefer, ...headers } = lowerCaseNames(call.headers ?? {});
  const sent = content ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    ...rest,
    method,
    url: toUrl(base, path),
    headers: {
      "content-type": "application/json",
      prefer: prefer === undefined ? IMMUTABLE_IDS : `${prefer}, ${IMMUTABLE_IDS}`,
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
    ...(mailbox === undefined ? {} : { limit: { key: mailbox, places } }),
  };
}

function toUrl(base: string, path: string): string {
  if (/^https?:/i.test(path)) return path;
  return `${base}${path.startsWith("/") ? "" : "/"}${path}`;
}
