/**
 * Where every path ends: observations are compared with the states that we know, and the difference
 * becomes events. State and events change in one transaction, so a crash leaves both unchanged and
 * the next look finds the same difference.
 */
import type { Transaction } from "../../store/database.ts";
import { type FolderMap, loadFolderMap } from "../folders/folder-table.ts";
import { type Mailbox, setLastEventAt } from "../mailbox-table.ts";
import {
  isOwnMail,
  type MessageState,
  normalizeInternetMessageId,
  toMessageState,
} from "../messages/message.ts";
import {
  findGoneByInternetId,
  findMessages,
  type GoneMessage,
  lockMailboxState,
  markMet,
} from "../messages/message-table.ts";
import { messageIdOf, type Observation } from "../messages/observation.ts";
import { diffMessage, type Happening, type Rekeyed } from "./diff-message.ts";
import type { SeenBy } from "./event.ts";
import type { RecordedEvent } from "./event-table.ts";
import { type Changes, type NewEvent, writeChanges } from "./write-changes.ts";

export interface Sighting {
  readonly by: SeenBy;
  /** When Graph was asked, by the database's clock. */
  readonly at: Date;
  /** The generation of the full round that saw it; 0 outside full rounds. */
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
  observed: readonly Observation[],
  seen: Sighting,
  followUp: FollowUp,
): Promise<RecordedEvent[]> {
  if (observed.length === 0) return [];
  // Gone messages come first, so that a new id for one of them is recognised.
  const observations = [...observed].sort((one, other) => rankOf(one) - rankOf(other));
  await lockMailboxState(tx, mailbox.id);
  const known = await findMessages(tx, mailbox.id, observations.map(messageIdOf));
  const folders = await loadFolderMap(tx, mailbox.id);
  const rekeyed = await findRekeyed(tx, mailbox.id, observations, known);
  const changes = compare(observations, known, seen, folders, rekeyed);
  const recorded = await writeChanges(tx, mailbox, seen, changes, (id) => !known.has(id));

  const generation = seen.generation ?? 0;
  if (generation > 0) {
    const unchanged = observations.map(messageIdOf).filter((id) => !changes.changed.has(id));
    await markMet(tx, mailbox.id, unchanged, generation);
  }
  if (recorded.length === 0) return recorded;
  await setLastEventAt(tx, mailbox.id, seen.at);
  const own = ownMailAmong(observations);
  const foreign =
    own.size === 0 ? recorded : recorded.filter(({ messageId }) => !own.has(messageId));
  if (foreign.length > 0) await followUp(tx, mailbox, foreign);
  return recorded;
}

function compare(
  observations: readonly Observation[],
  known: ReadonlyMap<string, MessageState>,
  seen: Sighting,
  folders: FolderMap,
  rekeyed: ReadonlyMap<string, Rekeyed>,
): Changes {
  const changed = new Map<string, MessageState>();
  const events: NewEvent[] = [];
  for (const observation of observations) {
    const id = messageIdOf(observation);
    const before = changed.get(id) ?? known.get(id) ?? null;
    const after = stateAfter(observation, before, seen, folders);
    if (after === null) continue;
    changed.set(id, after);
    for (const happening of diffMessage(before, after, folders, rekeyed.get(id) ?? null))
      events.push({ happening, state: after, ...timeAndFolders(after, happening, seen, folders) });
  }
  return { changed, events };
}

const rankOf = (observation: Observation): number => (observation.kind === "gone" ? 0 : 1);

/** Our own mail starts no jobs: they could send the next mail. */
function ownMailAmong(observations: readonly Observation[]): ReadonlySet<string> {
  const own = new Set<string>();
  for (const observation of observations) {
    if (observation.kind === "present" && isOwnMail(observation.message))
      own.add(observation.message.id);
  }
  return own;
}

/** The state after an observation; null if it says nothing new or is older than what we know. */
function stateAfter(
  observation: Observation,
  before: MessageState | null,
  seen: Sighting,
  folders: FolderMap,
): MessageState | null {
  if (observation.kind === "gone") return goneAfter(before, seen);
  const fallbackFolder = observation.folderId ?? before?.folderId ?? "";
  const after = toMessageState(observation.message, before, fallbackFolder, seen.at);
  if (after.folderId === folders.recoverableItems) return goneAfter(before, seen);
  if (
    folders.excluded.has(after.folderId) &&
    (before?.folderId ?? after.folderId) === after.folderId
  )
    return null; // messages in an excluded folder are ignored; a move into it is not
  if (before === null) return after;
  if (isOlder(after, before, seen)) return null;
  if (before.isDeleted) return { ...after, lives: before.lives + 1 };
  return isSame(before, after) ? null : after;
}

/**
 * Answers can overtake each other, and an older one must not undo a newer one. Graph's time of change
 * decides; if it is equal, or the message was gone, the later request wins.
 */
function isOlder(after: MessageState, before: MessageState, seen: Sighting): boolean {
  if (before.isDeleted) return seen.at < before.lookedAt;
  if (after.modifiedAt.getTime() !== before.modifiedAt.getTime())
    return after.modifiedAt < before.modifiedAt;
  return seen.at < before.lookedAt;
}

function goneAfter(before: MessageState | null, seen: Sighting): MessageState | null {
  if (before === null || before.isDeleted || seen.at < before.lookedAt) return null;
  return { ...before, isDeleted: true, lookedAt: seen.at };
}

function isSame(before: MessageState, after: MessageState): boolean {
  return (
    before.changeKey === after.changeKey &&
    before.folderId === after.folderId &&
    before.isRead === after.isRead &&
    before.modifiedAt.getTime() === after.modifiedAt.getTime()
  );
}

function timeAndFolders(
  state: MessageState,
  { type, fromFolder }: Happening,
  seen: Sighting,
  folders: FolderMap,
): Pick<NewEvent, "at" | "folderName" | "fromFolderName"> {
  const at =
    type === "arrived"
      ? (state.receivedAt ?? seen.at)
      : type === "deleted"
        ? seen.at
        : state.modifiedAt;
  const nameOf = (id: string) => folders.names.get(id) ?? null;
  const fromFolderName = fromFolder === null ? null : nameOf(fromFolder);
  return { at, folderName: nameOf(state.folderId), fromFolderName };
}

/**
 * Outlook's desktop client can give a dragged message another id, even with immutable ids. If a message seen
 * for the first time has the RFC 5322 id of one that is gone, or is reported gone in the same observation, it
 * is that message under a new id.
 */
async function findRekeyed(
  tx: Transaction,
  mailbox: number,
  observations: readonly Observation[],
  known: ReadonlyMap<string, MessageState>,
): Promise<Map<string, Rekeyed>> {
  const internetIds = new Map<string, string>();
  const going: MessageState[] = [];
  for (const observation of observations) {
    const before = known.get(messageIdOf(observation));
    if (observation.kind === "gone") {
      if (before !== undefined) going.push(before);
    } else if (before === undefined) {
      const id = normalizeInternetMessageId(observation.message.internetMessageId ?? null);
      if (id !== null) internetIds.set(observation.message.id, id);
    }
  }
  if (internetIds.size === 0) return new Map();
  const gone = await findGoneByInternetId(tx, mailbox, [...internetIds.values()]);
  for (const state of going) {
    const id = state.internetMessageId;
    const other = id === null ? undefined : gone.get(id);
    if (id !== null && (other === undefined || isLater(state, other))) gone.set(id, state);
  }
  const rekeyed = new Map<string, Rekeyed>();
  for (const [id, internetId] of internetIds) {
    const earlier = gone.get(internetId);
    if (earlier !== undefined)
      rekeyed.set(id, { messageId: earlier.messageId, wasDraft: earlier.isDraft });
  }
  return rekeyed;
}

/** Whether `one` was seen last; ties are broken by id, so the result is always the same. */
function isLater(one: GoneMessage, other: GoneMessage): boolean {
  const apartMs = one.lookedAt.getTime() - other.lookedAt.getTime();
  return apartMs === 0 ? one.messageId < other.messageId : apartMs > 0;
}
