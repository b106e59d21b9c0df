/**
 * What somebody typed and has not yet sent. It outlives the page: a lost network, a new sign-in or a reload loses nothing.
 * The tab keeps it until it is sent or somebody signs out.
 */
import { useSyncExternalStore } from "react";
import type { Facts } from "../../data/reviews.ts";

export interface Draft {
  /** Values that were kept with Enter. */
  readonly facts: Facts;
  /** Text that is still being typed, or that does not make sense yet, by field. */
  readonly texts: Readonly<Record<string, string>>;
}

const STORE_KEY = "postroom.drafts";
const NOTHING: Draft = { facts: {}, texts: {} };
const drafts = new Map<number, Draft>(load());
const listeners = new Set<() => void>();

export function useDraft(id: number): Draft {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => drafts.get(id) ?? NOTHING,
  );
}

/** Undefined is the value as it was read. */
export function setDraft(id: number, key: string, value: Facts[string] | undefined): void {
  const { facts, texts } = drafts.get(id) ?? NOTHING;
  put(id, { facts: withKey(facts, key, value), texts: withKey(texts, key, undefined) });
}

/** Undefined ends the typing and keeps what was there before. */
export function setText(id: number, key: string, text: string | undefined): void {
  const draft = drafts.get(id) ?? NOTHING;
  put(id, { ...draft, texts: withKey(draft.texts, key, text) });
}

export function dropDraft(id: number): void {
  put(id, NOTHING);
}

function withKey<T>(all: Readonly<Record<string, T>>, key: string, value: T | undefined) {
  const { [key]: _, ...rest } = all;
  return value === undefined ? rest : { ...rest, [key]: value };
}

function put(id: number, draft: Draft): void {
  const isEmpty = Object.keys(draft.facts).length + Object.keys(draft.texts).length === 0;
  if (isEmpty) drafts.delete(id);
  else drafts.set(id, draft);
  sessionStorage.setItem(STORE_KEY, JSON.stringify([...drafts]));
  for (const listener of listeners) listener();
}

function load(): [number, Draft][] {
  return JSON.parse(sessionStorage.getItem(STORE_KEY) ?? "[]") as [number, Draft][];
}
