/**
 * An upload session of Graph: a URL that needs no token and must not be sent one. It comes from Graph
 * alone, is checked against the hosts that we talk to, and is never shown to anybody.
 */
import { type Backoff, backoffMs } from "../../lib/backoff.ts";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import type { Http, HttpAnswer } from "../../lib/http.ts";
import type { Random } from "../../lib/random.ts";
import { type DriveItem, nameTaken } from "./drive-client.ts";
import { GraphApiError, retryAfterMs } from "./graph-fault.ts";

/** A multiple of 320 KiB, as Graph wants every chunk but the last. */
export const CHUNK_BYTES = 10 * 1024 * 1024;
/** Smaller files go in one request. */
export const SESSION_FROM_BYTES = 4 * 1024 * 1024;

export type ChunkAnswer =
  | { readonly state: "more"; readonly nextByte: number }
  | { readonly state: "done"; readonly item: DriveItem }
  /** The session has run out or was finished by somebody: a new one is needed, or the file is there. */
  | { readonly state: "gone" };

export interface UploadSessions {
  /** Sends bytes from `first` on. What Graph already has is not an error: the answer says where to go on. */
  put(url: string, first: number, bytes: Uint8Array, total: number): Promise<ChunkAnswer>;
  /** Where to go on; null when the session is gone. A session that has all bytes answers `total`. */
  status(url: string, total: number): Promise<number | null>;
  cancel(url: string): Promise<void>;
}

const TRIES = 5;
const WAIT_HERE_MS = 10_000;
const BACKOFF: Backoff = { firstMs: 500, capMs: 8_000 };
const NAME = "the upload session"; // its path is part of the secret

export function createUploadSessions(needs: {
  http: Http;
  clock: Clock;
  random: Random;
}): UploadSessions {
  const send = async (
    method: string,
    url: string,
    more: { headers?: Record<string, string>; body?: Uint8Array } = {},
  ): Promise<HttpAnswer> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await needs.http({ method, url, ...more }).catch((error: unknown) => {
        // What was lost on the way is asked for: a chunk may have arrived although its answer did not.
        if (error instanceof Fault && error.remedy === "retry") return null;
        throw error;
      });
      const isPassing = answer === null || answer.status === 429 || answer.status >= 500;
      if (!isPassing) return answer;
      const askedForMs = retryAfterMs(answer?.headers["retry-after"], needs.clock.now()) ?? 0;
      const waitMs = backoffMs(BACKOFF, attempt, needs.random, askedForMs);
      if (attempt >= TRIES || waitMs > WAIT_HERE_MS) throw toFault(answer, askedForMs);
      await needs.clock.sleep(waitMs);
    }
  };

  const status: UploadSessions["status"] = async (url, total) => {
    const answer = await send("GET", url);
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw new GraphApiError(NAME, answer);
    return nextByteOf(answer, total);
  };

  return {
    status,
    async put(url, first, bytes, total) {
      const range = `bytes ${first}-${first + bytes.length - 1}/${total}`;
      const answer = await send("PUT", url, { headers: { "content-range": range }, body: bytes });
      switch (answer.status) {
        case 200:
        case 201:
          return { state: "done", item: JSON.parse(answer.body.toString("utf8")) as DriveItem };
        case 202:
          return { state: "more", nextByte: nextByteOf(answer, total) };
        case 404:
          return { state: "gone" };
        case 409:
          throw nameTaken(new GraphApiError(NAME, answer));
        case 416: {
          const nextByte = await status(url, total);
          return nextByte === null ? { state: "gone" } : { state: "more", nextByte };
        }
        default:
          throw new GraphApiError(NAME, answer);
      }
    },
    async cancel(url) {
      await send("DELETE", url);
    },
  };
}

/** Ranges may be missing from the list, but the first one is where the gap begins. */
function nextByteOf(answer: HttpAnswer, total: number): number {
  const { nextExpectedRanges = [] } = JSON.parse(answer.body.toString("utf8")) as {
    nextExpectedRanges?: string[];
  };
  const next = nextExpectedRanges[0];
  return next === undefined ? total : Number(next.split("-")[0]);
}

function toFault(answer: HttpAnswer | null, askedForMs: number): Fault {
  if (answer === null) return new Fault("graph.unavailable", `${NAME} does not answer`);
  return new GraphApiError(NAME, answer, askedForMs === 0 ? undefined : askedForMs);
}
