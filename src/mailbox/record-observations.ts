/**
 * Where every path ends: what somebody saw of a mailbox is compared with what we knew, and the
 * difference becomes events. State and events change in one transaction, so a crash leaves both as
 * they were and the next look finds the same difference.
 */
import type { Transaction } from "../store/database.ts";
import { diffMessage } from "./diff-message.ts";
import type { SeenBy } from "./event.ts";
import { insertEvents, type NewEvent, type RecordedEvent } from "./event-table.ts";
import { type FolderMap, loadFolderMap } from "./folder-table.ts";
import type { Mailbox } from "./mailbox-table.ts";
import { type GraphMessage, type MessageState, toMessageState } from "./message.ts";
import {
  findGoneByInternetId,
  findMessages,
  lockMailboxState,
  markMet,
  upsertMessages,
} from "./message-table.ts";

export type Observation =
  | {
      readonly kind: "present";
      readonly message: GraphMessage;
      /** The folder it was seen in, for answers that do not name it. */
      readonly folderId?: string;
    }
  /** The mailbox does not have it any more: Graph said 404, not merely "not in this folder". */
  | { readonly kind: "gone"; readonly messageId: string };

export interface Sighting {
  readonly by: SeenBy;
  readonly at: Date;
  /** The walk that saw it; 0 outside of walks. */
  readonly generation?: number;
}

/** Follow-up work for new events, in the same transaction. */
export type FollowUp = (
  tx: Transaction,
  mailbox: Mailbox,
  events: readonly RecordedEvent[],
) => Promise<void>;

export async function recordObservations(
  tx: Transaction,
  mailbox: Mailbox,
  observations: readonly Observation[],
  seen: Sighting,
  followUp: FollowUp,
): Promise<RecordedEvent[]> {
  if (observations.length === 0) return [];
  await lockMailboxState(tx, mailbox.id);
  const ids = observations.map(idOf);
  const [known, folders] = [
    await findMessages(tx, mailbox.id, ids),
    await loadFolderMap(tx, mailbox.id),
  ];
  const rekeyed = await findRekeyed(tx, mailbox.id, observations, known);

  const changed = new Map<string, MessageState>();
  const events: NewEvent[] = [];
  for (const observation of observations) {
    const id = idOf(observation);
    const before = changed.get(id) ?? known.get(id) ?? null;
    const after = stateAfter(observation, before, seen, folders);
    if (after === null) continue;
    changed.set(id, after);
    const happenings = diffMessage(before, after, folders, rekeyed.get(id) ?? null);
    for (const happening of happenings)
      events.push({ happening, state: after, ...stamp(after, happening.type, seen, folders) });
  }

  const generation = seen.generation ?? 0;
  await upsertMessages(tx, mailbox.id, [...changed.values()], generation);
  if (generation > 0)
    await markMet(
      tx,
      mailbox.id,
      ids.filter((id) => !changed.has(id)),
      generation,
    );
  const recorded = await insertEvents(tx, mailbox, seen, events);
  if (recorded.length > 0) {
    await tx.query("UPDATE postroom.mailbox SET last_event_at = $2 WHERE id = $1", [
      mailbox.id,
      seen.at,
    ]);
    await followUp(tx, mailbox, recorded);
  }
  return recorded;
}

function idOf(observation: Observation): string {
  return observation.kind === "gone" ? observation.messageId : observation.message.id;
}

/** The state that an observation leads to, or null when it says nothing new or is older than what we know. */
function stateAfter(
  observation: Observation,
  before: MessageState | null,
  seen: Sighting,
  folders: FolderMap,
): MessageState | null {
  if (observation.kind === "gone") return goneAfter(before, seen);
  const fallbackFolder = observation.folderId ?? before?.folderId ?? "";
  const after = toMessageState(observation.message, before, fallbackFolder, seen.at.getTime());
  if (after.folderId === folders.recoverableItems) return goneAfter(before, seen);
  if (before === null) return after;
  // Answers overtake each other; an older one must not undo a newer.
  if (after.modifiedAt < before.modifiedAt && !before.isDeleted) return null;
  if (before.isDeleted) return { ...after, lives: before.lives + 1 };
  return isSame(before, after) ? null : after;
}

function goneAfter(before: MessageState | null, seen: Sighting): MessageState | null {
  const isStale = before === null || before.isDeleted || before.modifiedAt > seen.at;
  return isStale ? null : { ...before, isDeleted: true };
}

function isSame(before: MessageState, after: MessageState): boolean {
  return (
    before.changeKey === after.changeKey &&
    before.folderId === after.folderId &&
    before.isRead === after.isRead &&
    before.modifiedAt.getTime() === after.modifiedAt.getTime()
  );
}

function stamp(
  state: MessageState,
  type: string,
  seen: Sighting,
  folders: FolderMap,
): { at: Date; folderName: string | null } {
  const at =
    type === "arrived"
      ? (state.receivedAt ?? seen.at)
      : type === "deleted"
        ? seen.at
        : state.modifiedAt;
  return { at, folderName: folders.names.get(state.folderId) ?? null };
}

/**
 * Outlook's desktop client can give a dragged message another id, immutable or not. A first sight of a
 * message whose RFC 5322 id belongs to one that is gone is that message under its new id.
 */
async function findRekeyed(
  tx: Transaction,
  mailbox: number,
  observations: readonly Observation[],
  known: ReadonlyMap<string, MessageState>,
): Promise<Map<string, string>> {
  const firstSeen = observations.filter(
    (observation): observation is Extract<Observation, { kind: "present" }> =>
      observation.kind === "present" && !known.has(observation.message.id),
  );
  const internetIds = new Map<string, string>();
  for (const { message } of firstSeen) {
    const state = toMessageState(message, null, "", 0);
    if (state.internetMessageId !== null) internetIds.set(message.id, state.internetMessageId);
  }
  if (internetIds.size === 0) return new Map();
  const gone = await findGoneByInternetId(tx, mailbox, [...internetIds.values()]);
  const rekeyed = new Map<string, string>();
  for (const [id, internetId] of internetIds) {
    const earlier = gone.get(internetId);
    if (earlier !== undefined) rekeyed.set(id, earlier);
  }
  return rekeyed;
}
