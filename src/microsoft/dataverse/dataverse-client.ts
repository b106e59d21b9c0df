/**
 * The Dataverse Web API over plain HTTP. Who acts is part of each client: there is no token to set on a
 * shared one. Short waits are waited out here, long ones are the job's; what is sent again is only what
 * may be: reading, and writing under an id that we chose.
 */
import { type Backoff, backoffMs } from "../../lib/backoff.ts";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import { type Http, type HttpAnswer, pathOf } from "../../lib/http.ts";
import type { Random } from "../../lib/random.ts";
import { retryAfterMs } from "../graph/graph-fault.ts";
import type { TokenSource } from "../identity/app-token.ts";
import { DataverseError } from "./dataverse-fault.ts";

export interface DataverseCall {
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Relative to the service root, or a nextLink that Dataverse gave us. */
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: object;
  readonly signal?: AbortSignal;
}

export interface DataverseClient {
  /** The answer's JSON; undefined when it is empty. Throws DataverseError on anything but 2xx. */
  call<T = unknown>(call: DataverseCall): Promise<T>;
  /** Null when there is no such row, or none that the acting user may see. */
  get<T>(path: string): Promise<T | null>;
  /** Every row, page by page. */
  list<T>(path: string): Promise<T[]>;
  /** Creates the row under this id or brings it to these values; asked twice it is there once. */
  upsert(set: string, id: string, body: object): Promise<void>;
  /** Changes a row that is there; with an ETag only while it is still the one that was read. */
  update(set: string, id: string, body: object, etag?: string): Promise<void>;
}

export interface DataverseNeeds {
  readonly http: Http;
  /** `https://org.crm.dynamics.com`. */
  readonly origin: string;
  readonly token: TokenSource;
  readonly clock: Clock;
  readonly random: Random;
  /** The user in whose name an app acts, by object id; the rights are those that both have. */
  readonly actsFor?: string;
}

const TRIES = 4;
/** A longer wait than this is the caller's to wait out. */
const WAIT_HERE_MS = 5_000;
const BACKOFF: Backoff = { firstMs: 300, capMs: 3_000 };
const PAGE_SIZE = 500;

export function createDataverseClient(needs: DataverseNeeds): DataverseClient {
  const root = `${needs.origin}/api/data/v9.2`;
  const fixed = {
    accept: "application/json",
    "odata-version": "4.0",
    "odata-maxversion": "4.0",
    ...(needs.actsFor === undefined ? {} : { callerobjectid: needs.actsFor }),
  };

  const sendOnce = async (call: DataverseCall, forceNew: boolean): Promise<HttpAnswer> =>
    needs.http({
      method: call.method ?? "GET",
      url: toUrl(root, call.path),
      headers: {
        ...fixed,
        authorization: `Bearer ${await needs.token({ forceNew })}`,
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
        ...call.headers,
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });

  const waitFor = async (attempt: number, askedForMs: number, call: DataverseCall) => {
    const waitMs = backoffMs(BACKOFF, attempt, needs.random, askedForMs);
    if (attempt >= TRIES || waitMs > WAIT_HERE_MS) return false;
    await needs.clock.sleep(waitMs, call.signal);
    return call.signal?.aborted !== true;
  };

  const send = async (call: DataverseCall): Promise<HttpAnswer> => {
    const isRepeatable = call.method !== "POST";
    let isRefreshed = false;
    for (let attempt = 1; ; attempt++) {
      let answer: HttpAnswer;
      try {
        answer = await sendOnce(call, isRefreshed && attempt > 1);
      } catch (error) {
        const isPassing = error instanceof Fault && error.code === "dataverse.unavailable";
        if (isPassing && isRepeatable && (await waitFor(attempt, 0, call))) continue;
        throw error;
      }
      if (answer.status >= 200 && answer.status < 300) return answer;
      const askedForMs = retryAfterMs(answer.headers["retry-after"], needs.clock.now());
      const error = new DataverseError(pathOf(toUrl(root, call.path)), answer, askedForMs);
      if (error.status === 401 && !isRefreshed) {
        isRefreshed = true; // the token may have expired on the way; asked for anew once
        continue;
      }
      // A throttled call was not begun, so even a POST may be sent again.
      const isThrottled = error.code === "dataverse.throttled";
      const isPassing = isThrottled || (error.code === "dataverse.unavailable" && isRepeatable);
      if (isPassing && (await waitFor(attempt, askedForMs ?? 0, call))) continue;
      throw error;
    }
  };

  const call = async <T>(wanted: DataverseCall): Promise<T> =>
    parseJson(wanted, await send(wanted)) as T;

  return {
    call,
    async get<T>(path: string) {
      try {
        return await call<T>({ path });
      } catch (error) {
        if (error instanceof DataverseError && isUnseen(error)) return null;
        throw error;
      }
    },
    async list<T>(path: string) {
      const found: T[] = [];
      const headers = { prefer: `odata.maxpagesize=${PAGE_SIZE}` };
      for (let next: string | undefined = path; next !== undefined; ) {
        const page: { value: T[]; "@odata.nextLink"?: string } = await call({
          path: next,
          headers,
        });
        found.push(...page.value);
        next = page["@odata.nextLink"];
      }
      return found;
    },
    upsert: (set, id, body) => call({ method: "PATCH", path: `${set}(${id})`, body }),
    update: (set, id, body, etag = "*") =>
      call({ method: "PATCH", path: `${set}(${id})`, body, headers: { "if-match": etag } }),
  };
}

/** Whether a row is missing or only hidden must not show. */
function isUnseen(error: DataverseError): boolean {
  return error.code === "dataverse.not-found" || error.status === 403;
}

function parseJson(call: DataverseCall, answer: HttpAnswer): unknown {
  if (answer.body.length === 0) return undefined;
  try {
    return JSON.parse(answer.body.toString("utf8"));
  } catch (error) {
    throw new Fault(
      "dataverse.unavailable",
      `Dataverse's answer to ${call.path.split("?")[0]} is not JSON`,
      { cause: error },
    );
  }
}

function toUrl(root: string, path: string): string {
  return /^https?:/i.test(path) ? path : `${root}/${path}`;
}
