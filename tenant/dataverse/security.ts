/** Who may do what with which row. */
import { DataverseProblem } from "./dataverse-error.ts";
import { isReference, type Row } from "./rows.ts";
import type { Table } from "./schema.ts";

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
  rightsOf(user: Row, table: Table, row: Row): readonly Right[];
  snapshot(): unknown;
  restore(state: unknown): void;
}

/** Tables about the environment itself, which everybody reads. */
const OPEN_TABLES = new Set(["systemuser", "businessunit", "organization", "sdkmessage"]);

export function createSecurity(): Security {
  let scopes = new Map<string, Scope>();
  /** `table/rowId` to user id to rights. */
  let shares = new Map<string, Map<string, Right[]>>();
  return {
    setScope: (userId, scope) => void scopes.set(userId, scope),
    share(userId, table, rowId, rights) {
      const key = `${table}/${rowId.toLowerCase()}`;
      shares.set(key, (shares.get(key) ?? new Map()).set(userId, [...rights]));
    },
    unshare: (userId, table, rowId) =>
      void shares.get(`${table}/${rowId.toLowerCase()}`)?.delete(userId),
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
}

export function mayRead({ security, user }: Asker, table: Table, row: Row): boolean {
  return security.rightsOf(user, table, row).includes("ReadAccess");
}

/** Throws in the service's words when the acting user lacks a right on a row. */
export function checkRight({ security, user }: Asker, table: Table, row: Row, right: Right): void {
  if (security.rightsOf(user, table, row).includes(right)) return;
  throw new DataverseProblem(
    403,
    "0x80048306",
    `Principal with id ${user.id} does not have ${right} right(s) for record with id ${row.id} of entity ${table.name}.`,
  );
}
