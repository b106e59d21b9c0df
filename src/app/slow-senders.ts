/** Disconnects clients that hold a connection open by sending slowly. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { systemClock } from "../lib/clock.ts";

export const REQUEST_MS_MAX = 10_000;
/** The slowest rate allowed for a file: even a poor mobile connection is ten times as fast. */
const FILE_BYTES_PER_SECOND = 1_024;
const WINDOW_MS = 30_000;

/** For requests that should arrive immediately. */
export function limitTime(request: IncomingMessage, response: ServerResponse): void {
  const cancel = systemClock.after(REQUEST_MS_MAX, () => {
    if (!request.complete) request.destroy();
  });
  response.once("close", cancel);
}

/**
 * For files, which may take as long as their size requires: the sender must send a minimum in each window.
 * Bytes that wait for us are not the sender's fault: we read a file only as fast as the drive takes it.
 */
export function limitSlowness(
  request: IncomingMessage,
  response: ServerResponse,
  { bytesPerSecond, windowMs } = { bytesPerSecond: FILE_BYTES_PER_SECOND, windowMs: WINDOW_MS },
): void {
  const due = (bytesPerSecond * windowMs) / 1_000;
  const watch = (before: number): (() => void) =>
    systemClock.after(windowMs, () => {
      if (request.complete || request.destroyed) return;
      const { bytesRead } = request.socket;
      if (bytesRead - before < due && request.readableLength === 0) request.destroy();
      else cancel = watch(bytesRead);
    });
  let cancel = watch(request.socket.bytesRead);
  response.once("close", () => cancel());
}
