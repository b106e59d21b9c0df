/** The pages of the console, in the order of the navigation. */
import type { IconName } from "../design/icon.tsx";
import { mayUse, type Role } from "../session/roles.ts";

export interface Page {
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  readonly group: "" | "Books" | "Running it";
  /** Pages that a role cannot use are hidden, as the server would refuse them; null is anybody signed in. */
  readonly role: Role | null;
  /** Pressed after `g`. */
  readonly key?: string;
}

export const PAGES: readonly Page[] = [
  { path: "/", title: "Overview", icon: "overview", group: "", role: null, key: "o" },
  { path: "/review", title: "Review", icon: "review", group: "", role: "reviewer", key: "r" },
  { path: "/events", title: "Events", icon: "events", group: "", role: null, key: "e" },
  { path: "/trades", title: "Trades", icon: "trades", group: "Books", role: "viewer", key: "t" },
];

export function pagesFor(role: Role | null, hasTenant: boolean): Page[] {
  return PAGES.filter((page) => mayUse(role, page.role) && (page.path !== "/tenant" || hasTenant));
}
