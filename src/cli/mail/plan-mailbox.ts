/** Describes what a command would do to a mailbox in its current state. */
import { CommandError, EXIT } from "../base/exit.ts";
import { plain, shortTime } from "../base/output.ts";

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

/** Empty if nothing would change. */
export function planMailbox(verb: MailboxVerb, mailbox: MailboxNow, folder = ""): string[] {
  const read = mailbox.folders.filter((other) => !other.isExcluded);
  const until = mailbox.subscription && shortTime(mailbox.subscription.expiresAt);
  switch (verb) {
    case "pause":
      if (mailbox.status === "paused") return [];
      return [`status: ${mailbox.status} → paused`, "stop reading, renewing and auditing"];
    case "resume":
      return [
        ...(mailbox.status === "active" ? [] : [`status: ${mailbox.status} → active`]),
        until === null
          ? "subscription: create a new one"
          : `subscription: keep the one that expires ${until}`,
        `read what is new in ${read.length} folders`,
      ];
    case "resync":
      return [`read ${read.length} folders from the start`];
    case "remove":
      return [
        until === null
          ? "subscription: none to end"
          : `subscription: end the one that expires ${until}`,
        `delete the read positions of ${mailbox.folders.length} folders, but keep their events`,
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
  if (found === undefined) throw new CommandError(`folder ${name} not found`, EXIT.failed);
  if (found.isExcluded === isExcluded) return [];
  return [`${plain(found.displayName)}: ${isExcluded ? "read → excluded" : "excluded → read"}`];
}
