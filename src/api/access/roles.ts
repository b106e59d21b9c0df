/** Roles, from least to most powerful. Each includes those before it. */
export const ROLES = ["viewer", "reviewer", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The app roles of the API's registration, as they appear in a token. */
const ROLE_CLAIMS: Readonly<Record<string, Role>> = {
  "Postroom.Viewer": "viewer",
  "Postroom.Reviewer": "reviewer",
  "Postroom.Operator": "operator",
  "Postroom.Admin": "admin",
};

/** The highest role in a token's claim; null for a person without one, who sees only their own data. */
export function roleOf(claim: unknown): Role | null {
  const names = Array.isArray(claim) ? claim : [];
  const held = names.map((name) => ROLE_CLAIMS[String(name)]);
  return ROLES.findLast((role) => held.includes(role)) ?? null;
}

/** Whether a caller may do what needs this role; `person` is anybody signed in. */
export function hasRole(caller: { readonly role: Role | null }, needed: Role | "person"): boolean {
  // No role and `person` both have the index -1, below every role.
  return ROLES.indexOf(caller.role as Role) >= ROLES.indexOf(needed as Role);
}
