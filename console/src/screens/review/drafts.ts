/** What somebody typed and has not yet sent. It outlives the page: a lost network or a new sign-in loses nothing. */
import { useSyncExternalStore } from "react";
import type { Facts } from "../../data/reviews.ts";

const drafts = new Map<number, Facts>();
const listeners = new Set<() => void>();
const NONE: Facts = {};

export function useDraft(id: number): Facts {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => drafts.get(id) ?? NONE,
  );
}

export function setDraft(id: number, key: string, value: Facts[string] | undefined): void {
  const { [key]: _, ...rest } = drafts.get(id) ?? {};
  drafts.set(id, value === undefined ? rest : { ...rest, [key]: value });
  tellAll();
}

export function dropDraft(id: number): void {
  drafts.delete(id);
  tellAll();
}

function tellAll(): void {
  for (const listener of listeners) listener();
}
