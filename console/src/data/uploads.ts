/**
 * Sends a file in chunks. It can be paused, and it pauses by itself if the server does not answer; it continues from
 * the byte that the server names, so nothing is sent twice but the chunk that was cut off.
 */
import type { Schemas } from "../../../src/client/index.ts";
import { ApiProblem, ask, request, send, tell } from "./api.ts";
import { queryClient } from "./query.ts";

type Session = Schemas["UploadSession"];

export interface UploadStatus {
  readonly state: "sending" | "paused" | "failed";
  /** Between 0 and 1. */
  readonly share: number;
  /** Why it stopped; null if the person paused it. */
  readonly reason: string | null;
}

export interface Upload {
  pause(): void;
  resume(): void;
  /** Gives up, and lets the server forget what it has. */
  cancel(): void;
}

export function startUpload(
  file: File,
  onChange: (status: UploadStatus) => void,
  onDone: () => void,
): Upload {
  let stopper = new AbortController();
  let sessionId: string | null = null;
  let share = 0;
  const say = (state: UploadStatus["state"], reason: string | null = null) =>
    onChange({ state, share, reason });
  const go = () => {
    const { signal } = stopper;
    say("sending");
    sendAll(file, sessionId, {
      signal,
      onSession: (id) => {
        sessionId = id;
      },
      onProgress: (sent) => {
        share = sent / file.size;
        if (!signal.aborted) say("sending");
      },
    }).then(
      () => {
        void queryClient.invalidateQueries({ queryKey: ["documents"] });
        onDone();
      },
      (error: unknown) => {
        if (signal.aborted) return;
        say(isTemporary(error) ? "paused" : "failed", (error as Error).message);
      },
    );
  };
  go();
  return {
    pause: () => {
      stopper.abort();
      say("paused");
    },
    resume: () => {
      stopper = new AbortController();
      go();
    },
    cancel: () => {
      stopper.abort();
      if (sessionId !== null) request("DELETE", `/upload/session/${sessionId}`).catch(() => {}); // it expires by itself
    },
  };
}

/** No answer, too many requests, or a server in trouble: later it may work. */
const isTemporary = (error: unknown): boolean =>
  error instanceof ApiProblem &&
  (error.status === 0 || error.status === 429 || error.status >= 500);

interface Progress {
  readonly signal: AbortSignal;
  onSession(id: string): void;
  onProgress(sentBytes: number): void;
}

async function sendAll(
  file: File,
  knownId: string | null,
  { signal, onSession, onProgress }: Progress,
): Promise<void> {
  if (file.size === 0) throw new Error("The file is empty.");
  const known = knownId === null ? null : await findSession(knownId);
  if (known === "done") return;
  const session = known ?? (await begin(file));
  onSession(session.uploadId);
  let next = nextByteOf(session);
  while (next < file.size) {
    signal.throwIfAborted();
    const last = Math.min(next + session.chunkSize, file.size);
    const from = next;
    const answer = await send<Partial<Session>>("PUT", session.uploadUrl, {
      body: file.slice(from, last),
      headers: { "content-range": `bytes ${from}-${last - 1}/${file.size}` },
      onProgress: (share) => onProgress(from + share * (last - from)),
      signal,
      // Somebody sent this chunk before; the answer names the next one.
      accepts: [416],
    });
    if (answer.nextExpectedRanges === undefined) return;
    next = nextByteOf({ nextExpectedRanges: answer.nextExpectedRanges });
    onProgress(next);
  }
}

const begin = (file: File) =>
  tell<Session>("POST", "/upload/session", { fileName: file.name, size: file.size });

/** Null if the session has expired and the upload must begin again. */
async function findSession(id: string): Promise<Session | "done" | null> {
  try {
    const found = await ask<Partial<Session>>(`/upload/session/${id}`);
    return found.nextExpectedRanges === undefined ? "done" : (found as Session);
  } catch (error) {
    if (error instanceof ApiProblem && (error.status === 404 || error.status === 410)) return null;
    throw error;
  }
}

const nextByteOf = ({ nextExpectedRanges }: Pick<Session, "nextExpectedRanges">): number =>
  Number.parseInt(nextExpectedRanges[0] ?? "0", 10);
