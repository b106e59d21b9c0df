/** The pages of the console, in the order of the navigation. */
import type { IconName } from "../design/icon.tsx";
import { mayUse, type Role } from "../session/roles.ts";

export interface Page {
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  readonly group: "" | "Books" | "Operations";
  /** Pages that a role cannot use are hidden, as the server would refuse them; null is anybody signed in. */
  readonly role: Role | null;
  /** Pressed after `g`. */
  readonly key?: string;
  /** Only with the tenant on this machine. */
  readonly isDemoOnly?: boolean;
}

export const PAGES: readonly Page[] = [
  { path: "/", title: "Overview", icon: "overview", group: "", role: null, key: "o" },
  { path: "/review", title: "Review", icon: "review", group: "", role: "reviewer", key: "r" },
  { path: "/events", title: "Events", icon: "events", group: "", role: null, key: "e" },
  { path: "/trades", title: "Trades", icon: "trades", group: "Books", role: "viewer", key: "t" },
  { path: "/orders", title: "Orders", icon: "orders", group: "Books", role: "viewer" },
  {
    path: "/documents",
    title: "Documents",
    icon: "documents",
    group: "Books",
    role: null,
    key: "d",
  },
  { path: "/search", title: "Search", icon: "search", group: "Books", role: null, key: "s" },
  {
    path: "/mailboxes",
    title: "Mailboxes",
    icon: "mailboxes",
    group: "Operations",
    role: null,
    key: "m",
  },
  { path: "/my-mailbox", title: "My mailbox", icon: "person", group: "Operations", role: null },
  { path: "/jobs", title: "Jobs", icon: "jobs", group: "Operations", role: "operator", key: "j" },
  {
    path: "/dead-letters",
    title: "Dead letters",
    icon: "dead-letters",
    group: "Operations",
    role: "operator",
    key: "l",
  },
  { path: "/evidence", title: "Evidence", icon: "evidence", group: "Operations", role: "reviewer" },
  { path: "/senders", title: "Senders", icon: "people", group: "Operations", role: "viewer" },
  { path: "/settings", title: "Settings", icon: "settings", group: "Operations", role: "operator" },
  {
    path: "/tenant",
    title: "Tenant",
    icon: "tenant",
    group: "Operations",
    role: "operator",
    isDemoOnly: true,
  },
];

export function pagesFor(role: Role | null, isDemo: boolean): Page[] {
  return PAGES.filter((page) => mayUse(role, page.role) && (isDemo || page.isDemoOnly !== true));
}
