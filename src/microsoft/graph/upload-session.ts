/**
 * An upload session of Graph: a URL that needs no token and must not be sent one. It comes only from Graph,
 * must be on one of the hosts that we may call, and is never shown to anybody.
 */
import type { Clock } from "../../lib/clock.ts";
import type { Http, HttpAnswer } from "../../lib/http.ts";
import type { Random } from "../../lib/random.ts";
import { createTransport } from "../transport/transport.ts";
import { type DriveItem, nameTaken } from "./drive-client.ts";
import { UPLOAD_SESSION } from "./graph-api.ts";
import { GraphApiError } from "./graph-fault.ts";

/** A multiple of 320 KiB, which Graph requires for every chunk but the last. */
export const CHUNK_BYTES = 10 * 1024 * 1024;
/** Smaller files are sent in one request. */
export const SESSION_FROM_BYTES = 4 * 1024 * 1024;

export type ChunkAnswer =
  | { readonly state: "more"; readonly nextByte: number }
  | { readonly state: "done"; readonly item: DriveItem }
  /** The session has expired or is finished: open a new one, or find the file. */
  | { readonly state: "gone" };

export interface UploadSessions {
  /** Sends the bytes from `first` on. Bytes that Graph already has are not an error: the answer says where to continue. */
  put(url: string, first: number, bytes: Uint8Array, total: number): Promise<ChunkAnswer>;
  /** Where to continue; null if the session is gone, `total` if it has all bytes. */
  status(url: string, total: number): Promise<number | null>;
  cancel(url: string): Promise<void>;
}

/** Statuses of a session that is finished, expired or unknown, and therefore needs no cancelling. */
const TAKES_NO_BYTES = [400, 401, 403, 404, 409, 410];

export function createUploadSessions(needs: {
  http: Http;
  clock: Clock;
  random: Random;
}): UploadSessions {
  const transport = createTransport(UPLOAD_SESSION, { ...needs, token: null });
  const status: UploadSessions["status"] = (url, total) =>
    transport.send({ method: "GET", url, expects: [404] }, (answer) =>
      answer.status === 404 ? null : nextByteOf(answer, total),
    );

  return {
    status,
    async put(url, first, bytes, total) {
      const headers = { "content-range": `bytes ${first}-${first + bytes.length - 1}/${total}` };
      const answer = await transport.send(
        // Safe to repeat: Graph answers 416 if the chunk arrived although its response was lost.
        { method: "PUT", url, headers, body: bytes, expects: [404, 409, 416] },
        (whole) => whole,
      );
      switch (answer.status) {
        case 200:
        case 201:
          return { state: "done", item: JSON.parse(answer.body.toString("utf8")) as DriveItem };
        case 202:
          return { state: "more", nextByte: nextByteOf(answer, total) };
        case 404:
          return { state: "gone" };
        case 409:
          throw nameTaken(new GraphApiError(UPLOAD_SESSION.name, answer));
        case 416: {
          const nextByte = await status(url, total);
          return nextByte === null ? { state: "gone" } : { state: "more", nextByte };
        }
        default:
          throw new GraphApiError(UPLOAD_SESSION.name, answer);
      }
    },
    async cancel(url) {
      await transport.send({ method: "DELETE", url, expects: TAKES_NO_BYTES }, () => undefined);
    },
  };
}

/** The list may be incomplete, but its first range is where the gap begins. */
function nextByteOf(answer: HttpAnswer, total: number): number {
  const { nextExpectedRanges = [] } = JSON.parse(answer.body.toString("utf8")) as {
    nextExpectedRanges?: string[];
  };
  const next = nextExpectedRanges[0];
  return next === undefined ? total : Number(next.split("-")[0]);
}
