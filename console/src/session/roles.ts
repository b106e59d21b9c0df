export type Role = "viewer" | "reviewer" | "operator" | "admin";

const RANK: Readonly<Record<Role, number>> = { viewer: 0, reviewer: 1, operator: 2, admin: 3 };

/** Null is anybody signed in. */
export function mayUse(role: Role | null, needed: Role | null): boolean {
  if (needed === null) return true;
  return role !== null && RANK[role] >= RANK[needed];
}
