/** Who may do what with which row. */

import type { Table } from "../schema/schema.ts";
import { DataverseProblem } from "./dataverse-error.ts";
import { isReference, type Row } from "./rows.ts";

export const RIGHTS = [
  "ReadAccess",
  "WriteAccess",
  "AppendAccess",
  "AppendToAccess",
  "CreateAccess",
  "DeleteAccess",
  "ShareAccess",
  "AssignAccess",
] as const;
export type Right = (typeof RIGHTS)[number];

/** `organization` reaches every row; `user` reaches own rows and those shared with the user. */
export type Scope = "organization" | "user";

export interface Security {
  setScope(userId: string, scope: Scope): void;
  share(userId: string, table: string, rowId: string, rights: readonly Right[]): void;
  unshare(userId: string, table: string, rowId: string): void;
  /** Whether a user has `prvActOnBehalfOfAnotherUser`: those who reach every row have it. */
  mayImpersonate(user: Row): boolean;
  rightsOf(user: Row, table: Table, row: Row): readonly Right[];
  snapshot(): unknown;
  restore(state: unknown): void;
}

/** Tables about the environment itself, which everybody may read. */
const OPEN_TABLES = new Set(["systemuser", "businessunit", "organization", "sdkmessage"]);

export function createSecurity(): Security {
  let scopes = new Map<string, Scope>();
  /** Maps `table/rowId` to user id to rights. */
  let shares = new Map<string, Map<string, Right[]>>();
  return {
    setScope: (userId, scope) => void scopes.set(userId, scope),
    share(userId, table, rowId, rights) {
      const key = `${table}/${rowId.toLowerCase()}`;
      shares.set(key, (shares.get(key) ?? new Map()).set(userId, [...rights]));
    },
    unshare: (userId, table, rowId) =>
      void shares.get(`${table}/${rowId.toLowerCase()}`)?.delete(userId),
    mayImpersonate: (user) => (scopes.get(user.id) ?? "organization") === "organization",
    rightsOf(user, table, row) {
      if ((scopes.get(user.id) ?? "organization") === "organization") return RIGHTS;
      const owner = row.values["ownerid"];
      if (isReference(owner) && owner.id === user.id) return RIGHTS;
      const shared = shares.get(`${table.name}/${row.id}`)?.get(user.id) ?? [];
      return OPEN_TABLES.has(table.name) ? [...new Set<Right>(["ReadAccess", ...shared])] : shared;
    },
    snapshot: () => ({ scopes, shares }),
    restore(state) {
      const saved = state as { scopes: typeof scopes; shares: typeof shares };
      scopes = saved.scopes;
      shares = saved.shares;
    },
  };
}

interface Asker {
  readonly security: Security;
  readonly user: Row;
  /** Who acts for the user; both must have the right. */
  readonly initiator: Row;
}

function lacking(
  { security, user, initiator }: Asker,
  table: Table,
  row: Row,
  right: Right,
): Row | null {
  const asked = user.id === initiator.id ? [user] : [user, initiator];
  return asked.find((each) => !security.rightsOf(each, table, row).includes(right)) ?? null;
}

export function mayRead(asker: Asker, table: Table, row: Row): boolean {
  return lacking(asker, table, row, "ReadAccess") === null;
}

/** Throws in the service's words if the acting user lacks a right on a row. */
export function checkRight(asker: Asker, table: Table, row: Row, right: Right): void {
  const principal = lacking(asker, table, row, right);
  if (principal === null) return;
  throw new DataverseProblem(
    403,
    "0x80048306",
    `Principal with id ${principal.id} does not have ${right} right(s) for record with id ${row.id} of entity ${table.name}.`,
  );
}
