/** What a verb would do to a mailbox, in words, from what the server says of it now. */
import { CommandError, EXIT } from "./base/exit.ts";
import { plain, shortTime } from "./base/output.ts";

export interface MailboxNow {
  readonly status: string;
  readonly subscription: { readonly expiresAt: string | null } | null;
  readonly folders: readonly {
    readonly folderId: string;
    readonly displayName: string;
    readonly wellKnown: string | null;
    readonly isExcluded: boolean;
  }[];
}

export type MailboxVerb = "pause" | "resume" | "resync" | "exclude" | "include" | "remove";

/** Nothing where all is so already. */
export function planMailbox(verb: MailboxVerb, mailbox: MailboxNow, folder = ""): string[] {
  const read = mailbox.folders.filter((other) => !other.isExcluded);
  const until = mailbox.subscription && shortTime(mailbox.subscription.expiresAt);
  switch (verb) {
    case "pause":
      if (mailbox.status === "paused") return [];
      return [`status: ${mailbox.status} → paused`, "no more reading, renewing and auditing"];
    case "resume":
      return [
        ...(mailbox.status === "active" ? [] : [`status: ${mailbox.status} → active`]),
        until === null ? "subscription: made anew" : `subscription: the one until ${until} is kept`,
        `reading what is new in ${read.length} folders`,
      ];
    case "resync":
      return [`reading ${read.length} folders from the start`];
    case "remove":
      return [
        until === null
          ? "subscription: there is none"
          : `subscription: the one until ${until} is ended`,
        `forgetting how far ${mailbox.folders.length} folders were read; their events stay`,
      ];
    case "exclude":
    case "include":
      return planFolder(verb === "exclude", mailbox, folder);
  }
}

function planFolder(isExcluded: boolean, mailbox: MailboxNow, name: string): string[] {
  const wanted = name.toLowerCase();
  const found =
    mailbox.folders.find((folder) => folder.folderId === name) ??
    mailbox.folders.find((folder) => folder.wellKnown === wanted) ??
    mailbox.folders.find((folder) => folder.displayName.toLowerCase() === wanted);
  if (found === undefined) throw new CommandError(`there is no folder ${name}`, EXIT.failed);
  if (found.isExcluded === isExcluded) return [];
  return [`${plain(found.displayName)}: ${isExcluded ? "read → excluded" : "excluded → read"}`];
}
