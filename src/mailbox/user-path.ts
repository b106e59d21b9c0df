import type { Mailbox } from "./mailbox-table.ts";

/** The mailbox's user in a Graph URL. Never `me`: background work has no signed-in user. */
export function userPath(mailbox: Pick<Mailbox, "graphUserId" | "address">): string {
  return `/users/${encodeURIComponent(mailbox.graphUserId ?? mailbox.address)}`;
}
