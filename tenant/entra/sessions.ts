import type { User } from "../context.ts";

/** A person's sign-in in one browser. */
export interface Session {
  readonly userId: string;
  /** True if a second factor was used, as conditional access may require. */
  readonly isStrong: boolean;
}

/** What an authorization code or a refresh token stands for. */
interface Grant {
  readonly userId: string;
  readonly clientId: string;
  /** The scope parameter as it was requested. */
  readonly scope: string;
  readonly isStrong: boolean;
  readonly expiresAtMs: number;
}

export interface CodeGrant extends Grant {
  readonly redirectUri: string;
  readonly nonce: string | null;
  /** S256 or plain PKCE; null if the client sent none. */
  readonly challenge: { readonly method: string; readonly value: string } | null;
  isUsed: boolean;
}

interface RefreshGrant extends Grant {
  isRevoked: boolean;
}

/** A command line that waits for a person to enter its code. */
export interface DeviceGrant {
  readonly userCode: string;
  readonly clientId: string;
  readonly scope: string;
  readonly expiresAtMs: number;
  /** Who signed in, or null while nobody has. */
  userId: string | null;
  isDeclined: boolean;
}

/** Everything that Entra must remember between two requests. */
export interface EntraMemory {
  readonly sessions: Map<string, Session>;
  readonly codes: Map<string, CodeGrant>;
  readonly refreshTokens: Map<string, RefreshGrant>;
  readonly devices: Map<string, DeviceGrant>;
  /** People who withdrew their consent to an app, as `appId userId`, until they sign in to that app again. */
  readonly withdrawn: Map<string, true>;
  /** Times of recent identical token requests, for loop detection. */
  readonly recent: Map<string, number[]>;
}

export function createEntraMemory(): EntraMemory {
  return {
    sessions: new Map(),
    codes: new Map(),
    refreshTokens: new Map(),
    devices: new Map(),
    withdrawn: new Map(),
    recent: new Map(),
  };
}

export function restoreMemory(memory: EntraMemory, saved: EntraMemory): void {
  for (const name of [
    "sessions",
    "codes",
    "refreshTokens",
    "devices",
    "withdrawn",
    "recent",
  ] as const) {
    const target = memory[name] as Map<string, unknown>;
    target.clear();
    for (const [key, value] of saved[name] ?? []) target.set(key, value);
  }
}

/** Finds a user by principal name, address or object id, ignoring case. */
export function findPerson(users: readonly User[], name: string): User | null {
  const wanted = name.trim().toLowerCase();
  return (
    users.find((user) =>
      [user.id, user.userPrincipalName, user.mail].some((known) => known.toLowerCase() === wanted),
    ) ?? null
  );
}
