/** Who is signed in. The token lives in this module and nowhere else: not in storage, not in a URL. */
import { useSyncExternalStore } from "react";
import { ask, request, setKeyring, tell } from "../data/api.ts";
import { queryClient } from "../data/query.ts";
import type { EntraSettings } from "./msal.ts";
import type { Role } from "./roles.ts";
import { keepToken, type SamplePerson as Person } from "./sample-token.ts";

export interface SamplePerson extends Person {
  readonly address: string;
  readonly role: Role | null;
}

export interface ConsoleSettings {
  readonly version: string;
  readonly isDemo: boolean;
  readonly people: readonly SamplePerson[];
  readonly signIn: EntraSettings | null;
}

export interface Me {
  readonly id: string;
  readonly name: string | null;
  readonly role: Role | null;
}

export type Session =
  | { readonly kind: "out" }
  /** `expired`: the page stays as it is, with what was typed, and the sign-in appears over it. */
  | { readonly kind: "in" | "expired"; readonly me: Me };

/** Remembers only which sample person was chosen, for the next visit of the demo. */
const SAMPLE_KEY = "postroom.sample";

let session: Session = { kind: "out" };
let getToken: () => Promise<string | null> = async () => null;
const listeners = new Set<() => void>();

setKeyring({
  token: () => getToken(),
  refused: () => {
    if (session.kind === "in") set({ kind: "expired", me: session.me });
  },
});

export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );
}

export const loadSettings = (): Promise<ConsoleSettings> =>
  request("GET", "/api/console/settings", { isOpen: true }).then((answer) => answer.json());

export function rememberedPerson(settings: ConsoleSettings): SamplePerson | undefined {
  const id = sessionStorage.getItem(SAMPLE_KEY);
  return settings.people.find((person) => person.id === id);
}

/** The local tenant only: its people are made up, and its tokens open nothing else. */
export async function signInAs(person: SamplePerson): Promise<void> {
  const body = { personId: person.id };
  getToken = keepToken(() => tell("POST", "/api/console/sample-token", body, { isOpen: true }));
  await enter();
  sessionStorage.setItem(SAMPLE_KEY, person.id);
}

/** Entra: the library is a chunk of its own and is fetched only here. */
export async function signInWithEntra(settings: ConsoleSettings): Promise<void> {
  const { createMsal } = await import("./msal.ts");
  const msal = await createMsal(settings.signIn!);
  await msal.signIn();
  getToken = msal.token;
  await enter();
}

/** Starts the page anew, so that nothing of this person stays in its memory for the next one. */
export function signOut(): void {
  sessionStorage.clear();
  location.assign("/");
}

async function enter(): Promise<void> {
  const me = await ask<Me>("/api/me");
  // Somebody else signed in over the page: what they see comes from their own rights.
  if (session.kind !== "out" && session.me.id !== me.id) queryClient.clear();
  set({ kind: "in", me });
}

function set(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}
