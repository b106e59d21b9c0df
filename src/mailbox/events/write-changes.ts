/**
 * States and events of one look at a mailbox, in one statement: most new messages are both, and the
 * columns that a state shares with its event are sent and parsed once.
 */
import { toPlainArray, toTextArray, toTimeArray } from "../../store/array-text.ts";
import type { Transaction } from "../../store/database.ts";
import type { MessageState } from "../messages/message.ts";
import { WRITE_STATES } from "../messages/message-table.ts";
import type { Happening } from "./diff-message.ts";
import type { SeenBy } from "./event.ts";
import { findRecorded, type RecordedEvent, WRITE_EVENTS } from "./event-table.ts";

export interface NewEvent {
  readonly happening: Happening;
  /** The message right after it. */
  readonly state: MessageState;
  readonly at: Date;
  readonly folderName: string | null;
  readonly fromFolderName: string | null;
}

export interface Changes {
  /** The last state of each message that changed, by its id. */
  readonly changed: ReadonlyMap<string, MessageState>;
  readonly events: readonly NewEvent[];
}

/** What is written: a state, an event, or both. */
interface Row {
  readonly state: MessageState;
  readonly event: NewEvent | null;
  readonly flags: number;
}

/** A row's booleans in one number, because every array column costs time. */
const FLAGS = {
  isRead: 1,
  isDraft: 2,
  isDeleted: 4,
  hasAttachments: 8,
  hasListUnsubscribe: 16,
  isAutomated: 32,
  /** The last state of its message, the only one that is stored. */
  isLast: 64,
  /** Something happened to the message. */
  hasEvent: 128,
  /** The message has no state yet. */
  isNew: 256,
} as const;

/** Separates category names inside one parameter; Outlook accepts no name that contains it. */
const SEPARATOR = "\u001f";

const FLAG_COLUMNS = Object.entries(FLAGS)
  .map(([name, bit]) => `flags & ${bit} <> 0 AS "${name}"`)
  .join(", ");

/** Each table's own file says how its rows are written; both read them from `t`. */
const WRITE = `WITH t AS MATERIALIZED (
    SELECT $1::text AS owner, $2::int AS mailbox, $3::text AS seen_by, $4::timestamptz AS seen_at, $5::int AS generation,
        id, folder, ${FLAG_COLUMNS}, flag, string_to_array(category_names, E'\\x1f') AS categories, change_key,
        to_timestamp(modified_ms / 1000) AS modified, lives, internet_id, to_timestamp(received_ms / 1000) AS received,
        subject, sender_name, sender_email, importance, conversation, type, change, to_timestamp(at_ms / 1000) AS at,
        folder_name, from_folder, related, from_folder_name
      FROM unnest($6::int[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::float8[], $13::int[],
        $14::text[], $15::float8[], $16::text[], $17::text[], $18::text[], $19::text[], $20::text[],
        $21::text[], $22::text[], $23::float8[], $24::text[], $25::text[], $26::text[], $27::text[])
        AS t(flags, id, folder, flag, category_names, change_key, modified_ms, lives,
          internet_id, received_ms, subject, sender_name, sender_email, importance, conversation,
          type, change, at_ms, folder_name, from_folder, related, from_folder_name)),
  ${WRITE_STATES},
  ${WRITE_EVENTS}
  SELECT seq FROM new_events`;

/**
 * Stores the states and the events that are not yet known; a known event stays as it was first
 * written. Returns the new events. The caller holds the lock on the mailbox's state.
 */
export async function writeChanges(
  tx: Transaction,
  mailbox: { readonly id: number; readonly ownerId: string },
  seen: { readonly by: SeenBy; readonly at: Date; readonly generation?: number },
  changes: Changes,
  isNew: (messageId: string) => boolean,
): Promise<RecordedEvent[]> {
  const rows = toRows(changes, isNew);
  if (rows.length === 0) return [];
  const texts = (read: (state: MessageState) => string | null) =>
    toTextArray(rows.map((row) => read(row.state)));
  const eventTexts = (read: (event: NewEvent) => string | null) =>
    toTextArray(rows.map(({ event }) => (event === null ? null : read(event))));
  const { rows: written } = await tx.query<{ seq: number }>(
    WRITE,
    [
      mailbox.ownerId,
      mailbox.id,
      seen.by,
      seen.at,
      seen.generation ?? 0,
      toPlainArray(rows.map((row) => row.flags)),
      texts((state) => state.messageId),
      texts((state) => state.folderId),
      texts((state) => state.flag),
      texts((state) => state.categories.join(SEPARATOR)),
      texts((state) => state.changeKey),
      toTimeArray(rows.map((row) => row.state.modifiedAt)),
      toPlainArray(rows.map((row) => row.state.lives)),
      texts((state) => state.internetMessageId),
      toTimeArray(rows.map((row) => row.state.receivedAt)),
      texts((state) => state.subject),
      texts((state) => state.senderName),
      texts((state) => state.senderEmail),
      texts((state) => state.importance),
      texts((state) => state.conversationId),
      eventTexts((event) => event.happening.type),
      eventTexts((event) => event.happening.change),
      toTimeArray(rows.map((row) => row.event?.at ?? null)),
      eventTexts((event) => event.folderName),
      eventTexts((event) => event.happening.fromFolder),
      eventTexts((event) => event.happening.relatedMessageId ?? null),
      eventTexts((event) => event.fromFolderName),
    ],
    "write-changes",
  );
  if (written.length === changes.events.length) return changes.events.map(toRecorded);
  // Some were known already; the database says which are new.
  return findRecorded(
    tx,
    written.map((row) => row.seq),
  );
}

/** Events in order, each with its state; then the states that changed without an event. */
function toRows({ changed, events }: Changes, isNew: (messageId: string) => boolean): Row[] {
  const happened = new Set(events.map((event) => event.state.messageId));
  const placed = new Set<string>();
  const toRow = (state: MessageState, event: NewEvent | null): Row => {
    const { messageId } = state;
    const isLast = changed.get(messageId) === state && !placed.has(messageId);
    if (isLast) placed.add(messageId);
    const flags =
      flagsOf(state) +
      (isLast ? FLAGS.isLast : 0) +
      (happened.has(messageId) ? FLAGS.hasEvent : 0) +
      (isNew(messageId) ? FLAGS.isNew : 0);
    return { state, event, flags };
  };
  const rows = events.map((event) => toRow(event.state, event));
  for (const state of changed.values())
    if (!placed.has(state.messageId)) rows.push(toRow(state, null));
  return rows;
}

function flagsOf(state: MessageState): number {
  return (
    (state.isRead ? FLAGS.isRead : 0) +
    (state.isDraft ? FLAGS.isDraft : 0) +
    (state.isDeleted ? FLAGS.isDeleted : 0) +
    (state.hasAttachments ? FLAGS.hasAttachments : 0) +
    (state.hasListUnsubscribe ? FLAGS.hasListUnsubscribe : 0) +
    (state.isAutomated ? FLAGS.isAutomated : 0)
  );
}

function toRecorded({ happening, state }: NewEvent): RecordedEvent {
  const { messageId, folderId, receivedAt } = state;
  return { messageId, eventType: happening.type, folderId, receivedAt };
}
