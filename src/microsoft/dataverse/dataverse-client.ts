/**
 * The Dataverse Web API over plain HTTP. Each client acts for one person or for the app; there is no shared
 * client on which a token is set. `transport/` decides how calls are sent and repeated.
 */
import type { Clock } from "../../lib/clock.ts";
import type { Http } from "../../lib/http.ts";
import type { Random } from "../../lib/random.ts";
import {
  type Api,
  type ApiCall,
  createTransport,
  type TokenSource,
} from "../transport/transport.ts";
import { DataverseError } from "./dataverse-fault.ts";

export interface DataverseCall {
  readonly method?: ApiCall["method"];
  /** Relative to the service root, or a nextLink that Dataverse gave us. */
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: object;
  readonly signal?: AbortSignal;
  /** See `ApiCall`. */
  readonly isSafeTwice?: boolean;
}

export interface DataverseClient {
  /**
   * Returns the response's JSON; undefined if the response is empty. Throws DataverseError on anything but
   * 2xx.
   */
  call<T = unknown>(call: DataverseCall): Promise<T>;
  /** Null if the row is missing, or hidden from the acting user. */
  get<T>(path: string, headers?: DataverseCall["headers"]): Promise<T | null>;
  /** Every row, page by page. */
  list<T>(path: string): Promise<T[]>;
  /**
   * Creates the row under this id or, if it exists, sets these values on it; a second call changes nothing.
   */
  upsert(set: string, id: string, body: object): Promise<void>;
  /** Changes an existing row; with an ETag, only if it was not changed since it was read. */
  update(set: string, id: string, body: object, etag?: string): Promise<void>;
}

export interface DataverseNeeds {
  readonly http: Http;
  /** `https://org.crm.dynamics.com`. */
  readonly origin: string;
  readonly token: TokenSource;
  readonly clock: Clock;
  readonly random: Random;
  /** Object id of the user for whom the app acts; both must have the rights. */
  readonly actsFor?: string;
}

const DATAVERSE: Api = {
  name: "Dataverse",
  patience: { tries: 4, waitHereMs: 5_000, backoff: { firstMs: 300, capMs: 3_000 } },
  codes: { throttled: "dataverse.throttled", unreadable: "dataverse.unavailable" },
  toError: (place, answer, askedForMs) => new DataverseError(place, answer, askedForMs),
};
const PAGE_SIZE = 500;

export function createDataverseClient(needs: DataverseNeeds): DataverseClient {
  const root = `${needs.origin}/api/data/v9.2`;
  const transport = createTransport(DATAVERSE, needs);
  const fixed = {
    accept: "application/json",
    "odata-version": "4.0",
    "odata-maxversion": "4.0",
    ...(needs.actsFor === undefined ? {} : { callerobjectid: needs.actsFor }),
  };

  const call = <T>({ method = "GET", path, headers, body, ...rest }: DataverseCall): Promise<T> =>
    transport.json<T>({
      ...rest,
      method,
      url: toUrl(root, path),
      headers: {
        ...fixed,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  return {
    call,
    async get<T>(path: string, headers: DataverseCall["headers"] = {}) {
      try {
        return await call<T>({ path, headers });
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

/** A hidden row must look identical to a missing one. */
function isUnseen(error: DataverseError): boolean {
  return error.code === "dataverse.not-found" || error.status === 403;
}

function toUrl(root: string, path: string): string {
  return /^https?:/i.test(path) ? path : `${root}/${path}`;
}
