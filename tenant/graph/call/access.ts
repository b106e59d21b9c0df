/** What a caller may do with a mailbox, according to the permissions in its token. */
import type { Caller, User } from "../../context.ts";
import { accessDenied, GraphProblem } from "./graph-error.ts";

export type MailRight = "read-basic" | "read" | "write" | "send";

const GRANTED_BY: Record<MailRight, readonly string[]> = {
  "read-basic": ["Mail.ReadBasic", "Mail.ReadBasic.All", "Mail.Read", "Mail.ReadWrite"],
  read: ["Mail.Read", "Mail.ReadWrite"],
  write: ["Mail.ReadWrite"],
  send: ["Mail.Send"],
};

const DIRECTORY_RIGHTS = [
  "User.Read.All",
  "User.ReadBasic.All",
  "User.ReadWrite.All",
  "Directory.Read.All",
  "Directory.ReadWrite.All",
];

export interface AccessPolicies {
  /** An application access policy: null removes it, otherwise only these users can be reached. */
  restrictApp(appId: string, userIds: readonly string[] | null): void;
  allows(appId: string, userId: string): boolean;
  list(): [string, string[]][];
  /**
   * RBAC for Applications: Exchange gives the app the role `Application Mail.Read` for these users, whatever Entra
   * granted; null removes it (learn.microsoft.com/exchange/permissions-exo/application-rbac).
   */
  assignRole(appId: string, userIds: readonly string[] | null): void;
  isInRole(caller: Caller, userId: string): boolean;
  roles(): [string, string[]][];
}

export function createAccessPolicies(): AccessPolicies {
  const allowedByApp = new Map<string, Set<string>>();
  const scopeByApp = new Map<string, Set<string>>();
  return {
    restrictApp(appId, userIds) {
      if (userIds === null) allowedByApp.delete(appId);
      else allowedByApp.set(appId, new Set(userIds));
    },
    allows: (appId, userId) => allowedByApp.get(appId)?.has(userId) ?? true,
    list: () => [...allowedByApp].map(([appId, users]) => [appId, [...users]]),
    assignRole(appId, userIds) {
      if (userIds === null) scopeByApp.delete(appId);
      else scopeByApp.set(appId, new Set(userIds));
    },
    isInRole: ({ isAppOnly, appId }, userId) =>
      isAppOnly && (scopeByApp.get(appId)?.has(userId) ?? false),
    roles: () => [...scopeByApp].map(([appId, users]) => [appId, [...users]]),
  };
}

export function holds(caller: Caller, right: MailRight): boolean {
  const granted = caller.isAppOnly ? caller.roles : caller.scopes;
  return GRANTED_BY[right].some((name) => granted.has(name));
}

/** The caller with what Exchange's own roles let it do in this mailbox. */
export function withRoles(policies: AccessPolicies, caller: Caller, user: User | null): Caller {
  if (user === null || !policies.isInRole(caller, user.id)) return caller;
  return { ...caller, roles: new Set([...caller.roles, "Mail.Read"]) };
}

/** Throws what Graph would answer; a delegated caller reaches only its own mailbox. */
export function checkMailAccess(
  policies: AccessPolicies,
  caller: Caller,
  user: User,
  right: MailRight,
): void {
  const isByRole = right.startsWith("read") && policies.isInRole(caller, user.id);
  if (!isByRole && !holds(caller, right)) throw accessDenied();
  if (!caller.isAppOnly && caller.objectId !== user.id) throw accessDenied();
  if (caller.isAppOnly && !isByRole && !policies.allows(caller.appId, user.id)) {
    throw accessDenied("Access to OData is disabled.");
  }
  if (!user.hasMailbox) {
    throw new GraphProblem(
      404,
      "MailboxNotEnabledForRESTAPI",
      "The mailbox is either inactive, soft-deleted, or is hosted on-premise.",
    );
  }
}

/** A delegated caller may always read its own user with `User.Read`. */
export function checkDirectoryAccess(caller: Caller, userId: string | null): void {
  const granted = caller.isAppOnly ? caller.roles : caller.scopes;
  if (DIRECTORY_RIGHTS.some((name) => granted.has(name))) return;
  if (!caller.isAppOnly && caller.objectId === userId && granted.has("User.Read")) return;
  throw new GraphProblem(
    403,
    "Authorization_RequestDenied",
    "Insufficient privileges to complete the operation.",
  );
}
