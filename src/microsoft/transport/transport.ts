/**
 * The one loop through which every call to Microsoft goes: tokens, limits, waits and retries. What differs
 * between the APIs is data: an `Api` for each of them, and a few properties on each call. The `Http` that a
 * client receives decides which hosts may be reached.
 */
import type { Clock } from "../../lib/clock.ts";
import { Fault, type FaultCode } from "../../lib/fault.ts";
import { type Http, type HttpAnswer, pathOf } from "../../lib/http.ts";
import type { Random } from "../../lib/random.ts";
import { currentTrace, inSpan, type SpanStart } from "../../lib/tracing.ts";
import { ApiError } from "./api-error.ts";
import { type Patience, retryAfterMs, waitOut } from "./patience.ts";

/** Returns a bearer token for one resource; `forceNew` after the resource has refused the last one. */
export type TokenSource = (options?: { forceNew?: boolean }) => Promise<string>;

/** Keeps calls that share a limit below it; each limit has its own key, such as a mailbox. */
export interface Limiter {
  run<T>(key: string, places: number, task: () => Promise<T>): Promise<T>;
  /** Pauses calls under the key, because the API asked for it. */
  pause(key: string, forMs: number): void;
  /** How long calls under the key must still pause. */
  restsForMs(key: string): number;
}

export interface Api {
  readonly name: string;
  readonly patience: Patience;
  readonly codes: { readonly throttled: FaultCode; readonly unreadable: FaultCode };
  /** True if the URL itself grants access: errors then show `name` instead of the path. */
  readonly isUrlSecret?: boolean;
  toError(place: string, answer: HttpAnswer, askedForMs: number | undefined): ApiError;
}

export interface ApiCall {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /**
   * Set on a POST that does no harm if it is carried out twice. Without it, a POST is not sent again after an
   * unknown outcome. The other methods name their target, so repeating them changes nothing.
   */
  readonly isSafeTwice?: boolean;
  /** Statuses besides 2xx that the caller wants as a result instead of an error. */
  readonly expects?: readonly number[];
  /** The limit that the call counts against, and how many of its slots the call takes. */
  readonly limit?: { readonly key: string; readonly places: number };
}

export interface Transport {
  /** Throws the API's error unless the response is 2xx or expected; `read` may throw to request a retry. */
  send<T>(call: ApiCall, read: (answer: HttpAnswer) => T): Promise<T>;
  /** Returns the response's JSON; undefined if the response is empty. */
  json<T>(call: ApiCall): Promise<T>;
}

export interface TransportNeeds {
  readonly http: Http;
  /** Null if a token must not be sent. */
  readonly token: TokenSource | null;
  readonly limiter?: Limiter;
  readonly clock: Clock;
  readonly random: Random;
}

export function createTransport(api: Api, needs: TransportNeeds): Transport {
  const { token, limiter, clock } = needs;
  const placeOf = (call: ApiCall) => (api.isUrlSecret ? api.name : pathOf(call.url));

  const exchange = async (call: ApiCall, forceNew: boolean): Promise<HttpAnswer> => {
    const bearer: Record<string, string> =
      token === null ? {} : { authorization: `Bearer ${await token({ forceNew })}` };
    const answer = await needs
      .http({ ...call, headers: { ...bearer, ...call.headers } })
      .catch((error: unknown) => {
        // The error of a broken connection contains the path.
        if (!api.isUrlSecret || !(error instanceof Fault) || error.remedy !== "retry") throw error;
        throw new Fault(error.code, `${api.name} does not answer`);
      });
    const isOk = answer.status >= 200 && answer.status < 300;
    if (isOk || call.expects?.includes(answer.status)) return answer;
    const askedForMs = retryAfterMs(answer.headers["retry-after"], clock.now());
    throw api.toError(placeOf(call), answer, askedForMs);
  };

  const loop = async <T>(call: ApiCall, read: (answer: HttpAnswer) => T): Promise<T> => {
    let isRefreshed = false;
    for (let attempt = 1; ; attempt++) {
      await restIfAsked(call);
      try {
        return read(await exchange(call, isRefreshed));
      } catch (error) {
        if (isTokenRefused(error) && token !== null && !isRefreshed) {
          isRefreshed = true; // the token may have expired in transit, or been revoked
          continue;
        }
        if (!mayRepeat(call, error)) throw error;
        if (error.code === api.codes.throttled && call.limit !== undefined)
          limiter?.pause(call.limit.key, error.retryAfterMs ?? 0);
        const { retryAfterMs: askedForMs } = error;
        if (!(await waitOut(api.patience, needs, attempt, askedForMs, call.signal))) throw error;
      }
    }
  };

  const restIfAsked = async ({ limit, signal }: ApiCall): Promise<void> => {
    const restMs = limit === undefined ? 0 : (limiter?.restsForMs(limit.key) ?? 0);
    if (restMs === 0) return;
    if (restMs > api.patience.waitHereMs) {
      const text = `${api.name} asked us to pause requests for this mailbox`;
      throw new Fault(api.codes.throttled, text, { retryAfterMs: restMs });
    }
    await clock.sleep(restMs, signal);
  };

  const limited: Transport["send"] = (call, read) =>
    call.limit === undefined || limiter === undefined
      ? loop(call, read)
      : limiter.run(call.limit.key, call.limit.places, () => loop(call, read));

  const send: Transport["send"] = (call, read) => {
    // A call outside any trace, such as the renewal of a token in the background, gets no span.
    if (currentTrace() === null) return limited(call, read);
    return inSpan(`${api.name} ${call.method}`, describeCall(api, call), (span) =>
      limited(call, (answer) => {
        span?.note({ "http.response.status_code": answer.status });
        return read(answer);
      }),
    );
  };

  return {
    send,
    json: <T>(call: ApiCall) =>
      send(call, (answer) => {
        if (answer.body.length === 0) return undefined as T;
        try {
          return JSON.parse(answer.body.toString("utf8")) as T;
        } catch (error) {
          const text = `${api.name}'s answer to ${placeOf(call)} is not JSON`;
          throw new Fault(api.codes.unreadable, text, { cause: error });
        }
      }),
  };
}

const WORD = /^(?:|v[\d.]+|[a-z]{2,30})$/i;

/** Only the words of the API remain of a path: the rest are ids, addresses and names that people chose. */
function describeCall(api: Api, { method, url }: ApiCall): SpanStart {
  const { host, pathname } = new URL(url);
  // After a colon a drive's path follows.
  const [own = ""] = pathname.split(/:|%3a/i);
  const words = own.split("/").map((part) => (WORD.test(part) ? part : "{}"));
  const place = { "url.template": api.isUrlSecret ? "{}" : words.join("/") };
  const facts = { "http.request.method": method, "server.address": host, ...place };
  return { kind: "client", facts };
}

function isTokenRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Whether the same call may be sent again after this error. */
function mayRepeat(call: ApiCall, error: unknown): error is Fault {
  if (!(error instanceof Fault)) return false;
  // A throttled call was not started, and one without a token was not sent.
  if (error.remedy === "wait" || error.code === "identity.unavailable") return true;
  // The call may have been carried out: the connection broke, the server failed, or only part of the response
  // arrived.
  const isSafeTwice = call.method !== "POST" || call.isSafeTwice === true;
  return error.remedy === "retry" && isSafeTwice;
}
