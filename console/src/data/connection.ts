/** Whether the server answers. While it does not, the page says so and when it tries again. */
import { useSyncExternalStore } from "react";

export interface Connection {
  readonly isSilent: boolean;
  /** Milliseconds since 1970; the next try of what waits. */
  readonly nextTryAt: number;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

let state: Connection = { isSilent: false, nextTryAt: 0 };
let pauseMs = FIRST_PAUSE_MS;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const retries = new Set<() => void>();

export function noteAnswer(): void {
  pauseMs = FIRST_PAUSE_MS;
  if (!state.isSilent) return;
  clearTimeout(timer);
  timer = undefined;
  set({ isSilent: false, nextTryAt: 0 });
  for (const retry of retries) retry();
}

/** The pause doubles, unless the server says how long. */
export function noteSilence(retryAfterSeconds: number | null): void {
  if (timer !== undefined) return;
  const waitMs = retryAfterSeconds === null ? pauseMs : retryAfterSeconds * 1_000;
  pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  set({ isSilent: true, nextTryAt: Date.now() + waitMs });
  timer = setTimeout(tryNow, waitMs);
}

export function tryNow(): void {
  clearTimeout(timer);
  timer = undefined;
  fetch("/healthz").then(
    (answer) => (answer.ok ? noteAnswer() : noteSilence(null)),
    () => noteSilence(null),
  );
}

/** Called once when the server answers again. */
export function onReturn(retry: () => void): () => void {
  retries.add(retry);
  return () => void retries.delete(retry);
}

/** For work that failed because the server is silent. */
export function untilReturn(): Promise<void> {
  noteSilence(null);
  return new Promise((done) => {
    const stop = onReturn(() => {
      stop();
      done();
    });
  });
}

export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

function set(next: Connection): void {
  state = next;
  for (const listener of listeners) listener();
}

addEventListener("online", tryNow);
addEventListener("offline", () => noteSilence(null));
