/** How a mailbox is read and what its owner can do, in words. */
import type { Mailbox } from "../../data/mailboxes.ts";
import type { Tone } from "../../design/state.tsx";

export interface ConnectionWords {
  readonly tone: Tone;
  /** The state, in one or two words. */
  readonly word: string;
  readonly says: string;
  /** Whether signing in again fixes it. */
  readonly canConnect: boolean;
}

const PERSONAL = /^person:([A-Za-z0-9-]+):/;
const FOR_OTHERS = /; its owner must connect it again$/;

/** Whether the owner let Postroom read it, and not an administrator. */
export const isConnectedByOwner = ({ connection }: Mailbox): boolean => PERSONAL.test(connection);

/** The app with which its owner signs in again. */
export const appOf = (mailbox: Mailbox | undefined): string =>
  PERSONAL.exec(mailbox?.connection ?? "")?.[1] ?? "default";

/** What the owner reads, or with `isMine` false somebody who looks after the mailbox. */
export function describeConnection(
  mailbox: Mailbox,
  { isMine }: { readonly isMine: boolean },
): ConnectionWords {
  const isPersonal = isConnectedByOwner(mailbox);
  const who = isMine ? "you" : "its owner";
  const base = { canConnect: false } as const;
  if (mailbox.status === "paused")
    return {
      ...base,
      tone: "waiting",
      word: "Paused",
      says: "An operator paused it. Once it is resumed, Postroom reads what it missed.",
    };
  if (mailbox.status === "active")
    return {
      ...base,
      tone: "ok",
      word: isPersonal ? "Connected" : "Watched",
      says: isPersonal
        ? `Postroom reads it because ${who} allowed it.`
        : `Postroom reads it with the permission of an administrator; ${who} need${isMine ? "" : "s"} to do nothing.`,
    };
  const reason = (mailbox.statusReason ?? "the reason is not known").replace(FOR_OTHERS, "");
  return {
    tone: "failed",
    word: isPersonal ? "Disconnected" : "Unreachable",
    says: `Postroom no longer reads it: ${reason}. ${nextStep(isPersonal, isMine)}`,
    canConnect: isPersonal && isMine,
  };
}

function nextStep(isPersonal: boolean, isMine: boolean): string {
  if (!isPersonal) return isMine ? "Ask an operator." : "The mailbox's page says how to fix it.";
  const who = isMine ? "Connect it again" : "Its owner must connect it again";
  return `${who}; Postroom then reads what it missed.`;
}
