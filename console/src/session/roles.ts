import type { operations } from "../../../src/client/api.ts";

export type Role = "viewer" | "reviewer" | "operator" | "admin";

const RANK: Readonly<Record<Role, number>> = { viewer: 0, reviewer: 1, operator: 2, admin: 3 };

/** Null is anybody signed in. */
export function mayUse(role: Role | null, needed: Role | null): boolean {
  if (needed === null) return true;
  return role !== null && RANK[role] >= RANK[needed];
}

/** The least role for each action of the console. A test compares it with the API's description. */
export const NEEDED = {
  addMailbox: "operator",
  connectMailbox: "operator",
  verifyMailbox: "operator",
  resyncMailbox: "operator",
  pauseMailbox: "operator",
  resumeMailbox: "operator",
  importOrders: "operator",
  undoDecision: "reviewer",
  decideReview: "reviewer",
  getNoteContent: "reviewer",
  approveSender: "reviewer",
  revokeSender: "reviewer",
  revealEvent: "viewer",
  cancelJob: "operator",
  replayDeadLetters: "operator",
  dismissDeadLetters: "operator",
} as const satisfies Partial<Record<keyof operations, Role>>;

export const mayCall = (role: Role | null, operation: keyof typeof NEEDED): boolean =>
  mayUse(role, NEEDED[operation]);
