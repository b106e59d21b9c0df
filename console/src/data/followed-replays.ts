/** Waits for the replays that were started in this tab, and keeps those that have ended until their message is closed. */
import { useSyncExternalStore } from "react";
import { ask } from "./api.ts";
import type { Replay } from "./jobs.ts";

export interface EndedReplay {
  readonly id: string;
  readonly done: number;
  readonly total: number;
}

const LOOK_MS = 1_000;
const listeners = new Set<() => void>();
let ended: readonly EndedReplay[] = [];

export async function followReplay(id: string): Promise<void> {
  for (;;) {
    await new Promise((done) => setTimeout(done, LOOK_MS));
    // A look without an answer does not count: the server may be away.
    const replay = await ask<Replay>(`/api/dlq/replays/${id}`).catch(() => null);
    if (!replay?.finishedAt) continue;
    set([...ended, { id, done: replay.replayed + replay.superseded, total: replay.total }]);
    return;
  }
}

export const dropEnded = (id: string): void => set(ended.filter((each) => each.id !== id));

export function useEndedReplays(): readonly EndedReplay[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => ended,
  );
}

function set(next: readonly EndedReplay[]): void {
  ended = next;
  for (const listener of listeners) listener();
}
