/** A person's own consent to read their mailbox, and how Entra ends one. */
import type { Fault } from "../lib/fault.ts";

export type ConsentState = "connected" | "signed-out" | "withdrawn" | "expired" | "blocked";

const PREFIX = "person:";

/** The connection that reads one person's mailbox with the app of another connection. */
export const personalConnection = (base: string, personId: string): string =>
  `${PREFIX}${base}:${personId}`;

export const isPersonal = (connection: string): boolean => connection.startsWith(PREFIX);

/** Null if the connection is not a person's. */
export function baseOf(connection: string): string | null {
  return /^person:([A-Za-z0-9-]+):[^:]+$/.exec(connection)?.[1] ?? null;
}

export interface Ending {
  readonly state: Exclude<ConsentState, "connected">;
  /** For the person. */
  readonly reason: string;
}

/** By AADSTS number. Entra does not distinguish a changed password from a revoked session. */
const ENDINGS: Readonly<Record<string, Ending>> = {
  "50173": {
    state: "signed-out",
    reason: "your password was changed or your sign-in was revoked",
  },
  "65001": { state: "withdrawn", reason: "the consent was withdrawn" },
  "700082": { state: "expired", reason: "the consent was not used for too long" },
  "50057": { state: "blocked", reason: "your account is disabled" },
  "50034": { state: "blocked", reason: "your account no longer exists" },
};

const OF_THE_PERSON = /^(invalid_grant|interaction_required|consent_required|login_required)$/;

/** Null if the refusal says nothing about the person: the app's own secret may be wrong, or Entra down. */
export function endingOf({ code, facts }: Fault): Ending | null {
  if (code !== "identity.refused" && code !== "identity.interaction") return null;
  const known = ENDINGS[String(facts["aadsts"] ?? "")];
  if (known !== undefined) return known;
  if (!OF_THE_PERSON.test(String(facts["errorCode"] ?? ""))) return null;
  return { state: "blocked", reason: "Entra asks you to sign in again" };
}
