import type { MailEvent } from "../../data/events.ts";
import { formatDuration, formatSeconds } from "../../design/format.ts";
import { Icon, type IconName } from "../../design/icon.tsx";

const TYPES: Readonly<Record<string, { icon: IconName; word: string }>> = {
  arrived: { icon: "download", word: "Arrived" },
  sent: { icon: "upload", word: "Sent" },
  moved: { icon: "moved", word: "Moved" },
  deleted: { icon: "trash", word: "Deleted" },
  restored: { icon: "moved", word: "Restored" },
  read: { icon: "review", word: "Read" },
  unread: { icon: "mail", word: "Unread" },
  flagged: { icon: "flag", word: "Flagged" },
  unflagged: { icon: "flag", word: "Unflagged" },
  categorized: { icon: "tag", word: "Categorised" },
  "re-keyed": { icon: "key", word: "New id" },
};

export function typeOf(type: string): { icon: IconName; word: string } {
  return TYPES[type] ?? { icon: "events", word: type.charAt(0).toUpperCase() + type.slice(1) };
}

/** In place of a subject or sender that the settings hide. */
export const MASKED = "Masked";

export function subjectOf({ subject, isMasked }: MailEvent): string {
  return isMasked ? MASKED : (subject ?? "No subject");
}

export function senderOf({ sender, isMasked }: MailEvent): string {
  return isMasked ? MASKED : (sender.email ?? "–");
}

export const EVENT_TYPES = Object.keys(TYPES);

export const SEEN_BY = {
  push: "Push",
  delta: "Delta",
  poll: "Poll",
  audit: "Audit",
  import: "Import",
} as const;

export function EventTypeMark({ type }: { type: string }) {
  const { icon, word } = typeOf(type);
  return (
    <span className="inline-flex items-center gap-1.5 align-middle">
      <Icon name={icon} className="text-text-3" />
      {word}
    </span>
  );
}

/** From Graph's time of the change, which is in whole seconds, to our row; a dash for events that push did not see first. */
export function lagOf({ seenBy, seenAt, timestamp }: MailEvent): string {
  if (seenBy !== "push") return "–";
  const ms = Math.max(0, Date.parse(seenAt) - Date.parse(timestamp));
  return ms < 60_000 ? `${formatSeconds(ms / 1000)} s` : formatDuration(ms);
}
