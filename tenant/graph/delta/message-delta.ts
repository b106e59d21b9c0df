/** Delta over the messages of one folder: first everything, then the changes since. */

import type { GraphCall } from "../call/graph-call.ts";
import { json } from "../call/graph-call.ts";
import { GraphProblem } from "../call/graph-error.ts";
import { graphSwitch } from "../call/graph-switches.ts";
import type { LogEntry } from "../mailbox/folder-log.ts";
import { toMessageId } from "../mailbox/mail-ids.ts";
import type { StoredMessage } from "../mailbox/mail-model.ts";
import { folderName } from "../mailbox/mail-store.ts";
import type { FolderState } from "../mailbox/mailbox.ts";
import { generateLazy } from "../mailbox/new-message.ts";
import { withExpansions } from "../messages/expand.ts";
import type { MailScope } from "../messages/mail-scope.ts";
import { scopeOf, viewOf } from "../messages/mail-scope.ts";
import { listContext } from "../messages/message-list.ts";
import { parseMessageFilter, passes } from "../messages/message-query.ts";
import {
  type MessageProperty,
  parseSelect,
  showMessage,
  type ViewOptions,
} from "../messages/message-view.ts";
import { type DeltaWorld, readPoint } from "./delta-start.ts";
import type { SyncPoint } from "./sync-tokens.ts";
import { stateNotFound } from "./sync-tokens.ts";

interface Round {
  readonly value: object[];
  readonly next: SyncPoint;
  readonly isDone: boolean;
  /** The same point one item earlier; a page from there repeats the last item. */
  readonly beforeLast: SyncPoint | null;
}

const FILTERED_MAX = 5_000;
/** What can change after arrival; a sparse response shows only these properties. */
const CHANGEABLE: MessageProperty[] = [
  "changeKey",
  "lastModifiedDateTime",
  "isRead",
  "flag",
  "categories",
  "parentFolderId",
  "subject",
  "importance",
  "inferenceClassification",
];

/** How a round shows messages: as its first request asked. */
interface DeltaView extends ViewOptions {
  readonly expand: ReturnType<typeof withExpansions>;
}

export function messageDelta(world: DeltaWorld, call: GraphCall) {
  const scope = scopeOf(world, call, "read-basic");
  const state = scope.folder!;
  const { faults, switches } = world.context;
  const facts = { mailbox: scope.user.id, folder: folderName(scope.mailbox, state.folder.id) };
  const point = readPoint(world, call, scope);
  if (point.generation > 0) strikeExpiry(world, call, point, facts);
  const pageSize = call.maxPageSize ?? point.options.top ?? switches.messageDeltaPageSize;
  if (call.maxPageSize !== null) call.applied.push(`odata.maxpagesize=${call.maxPageSize}`);
  if (faults.strike("empty-page", { ...facts, path: call.request.path }) !== null) {
    return answer(world, call, { value: [], next: point, isDone: false, beforeLast: null });
  }
  // Headers are returned only when a single message is read.
  const select = parseSelect(point.options.select)?.filter(
    (name) => name !== "internetMessageHeaders",
  );
  const view: DeltaView = {
    ...viewOf(call, null),
    select: select ?? null,
    expand: withExpansions(world, call, scope, point.options.expand ?? null),
  };
  const round = point.isWalk
    ? walkOn(world, scope, state, point, pageSize, view)
    : changesSince(world, scope, state, replayed(world, point, facts), pageSize, view);
  const isRepeated = round.value.length > 0 && faults.strike("duplicate-delta", facts) !== null;
  return answer(world, call, isRepeated ? repeatItem(round) : round);
}

/** Repeats an item across two pages if there is a next one, otherwise twice on this page. */
function repeatItem(round: Round): Round {
  if (round.beforeLast !== null && !round.isDone) return { ...round, next: round.beforeLast };
  return { ...round, value: [...round.value, round.value[0]!] };
}

function strikeExpiry(
  world: DeltaWorld,
  call: GraphCall,
  point: SyncPoint,
  facts: { mailbox: string; folder: string },
): void {
  const { faults, switches } = world.context;
  if (faults.strike("expire-delta", facts) !== null) {
    throw stateNotFound(point.generation, point.generation + 8, switches.deltaGenerations);
  }
  if (faults.strike("reset-delta", facts) === null) return;
  throw new GraphProblem(
    410,
    "resyncRequired",
    "Resync required. Replace any local items with the server's version.",
    {
      headers: { location: `${world.context.origin()}${call.request.path}?$deltatoken=` },
    },
  );
}

/** A replay begins its round a few changes too early, as Exchange sometimes does. */
function replayed(
  world: DeltaWorld,
  point: SyncPoint,
  facts: { mailbox: string; folder: string },
): SyncPoint {
  const fault = world.context.faults.strike("replay-delta", facts);
  if (fault === null) return point;
  const since = Math.max(0, point.since - Number(fault.options["changes"] ?? 5));
  return { ...point, since, roundStart: Math.min(since, point.roundStart) };
}

function walkOn(
  world: DeltaWorld,
  scope: MailScope,
  state: FolderState,
  point: SyncPoint,
  pageSize: number,
  view: DeltaView,
): Round {
  const { options } = point;
  const filter = options.filter === null ? null : parseMessageFilter(options.filter);
  const room = filter === null ? pageSize : Math.min(pageSize, FILTERED_MAX - point.given);
  const nowMs = world.context.clock.now();
  const value: object[] = [];
  const give = (message: StoredMessage) => {
    if (filter === null || passes(filter, scope.mailbox, message))
      value.push(view.expand(message, showMessage(scope.mailbox, message, view)));
  };
  let { cursor } = point;
  let previous = point;
  const { items } = state.messages;
  let at =
    cursor === null ? items.length : state.messages.countBefore(cursor.receivedMs, cursor.key);
  while (at > 0 && value.length < room) {
    const message = items[--at]!;
    previous = { ...point, cursor };
    cursor = { receivedMs: message.receivedMs, key: message.key };
    if (message.visibleFromMs <= nowMs) give(message);
  }
  const block = state.lazy;
  let index = point.lazyIndex ?? (block === null ? -1 : block.count - 1);
  for (; at === 0 && index >= 0 && value.length < room; index--) {
    previous = { ...point, cursor, lazyIndex: index };
    if (!block!.holes.has(index)) give(generateLazy(scope.mailbox, state, index, nowMs));
  }
  const given = point.given + value.length;
  const isDone = (at === 0 && index < 0) || (filter !== null && given >= FILTERED_MAX);
  const next = isDone
    ? { ...point, isWalk: false, cursor: null, lazyIndex: null, given: 0 }
    : { ...point, cursor, lazyIndex: at === 0 ? index : null, given };
  return { value, next, isDone, beforeLast: { ...previous, given } };
}

function changesSince(
  world: DeltaWorld,
  scope: MailScope,
  state: FolderState,
  point: SyncPoint,
  pageSize: number,
  view: DeltaView,
): Round {
  const entries = state.log.after(point.since, pageSize);
  const isDone = entries.length < pageSize || !state.log.hasAfter(entries.at(-1)!.sequence);
  const value = entries.flatMap((entry) => showEntry(world, scope, entry, point, view) ?? []);
  const since = Math.max(point.since, entries.at(-1)?.sequence ?? 0);
  const next = { ...point, since, roundStart: isDone ? since : point.roundStart };
  const beforeLast = entries.length < 2 ? null : { ...point, since: entries.at(-2)!.sequence };
  return { value, next, isDone, beforeLast };
}

function showEntry(
  world: DeltaWorld,
  scope: MailScope,
  entry: LogEntry,
  point: SyncPoint,
  view: DeltaView,
): object | null {
  const { mailbox } = scope;
  const isNew = entry.kind !== "removed" && entry.entered > point.roundStart;
  const kind = entry.kind === "removed" ? "deleted" : isNew ? "created" : "updated";
  const { changeType, filter } = point.options;
  if (changeType !== null && changeType !== kind) return null;
  if (kind === "deleted") {
    const id = toMessageId(mailbox.tag, entry.key, view.form, entry.moves);
    return { "@odata.type": "#microsoft.graph.message", id, "@removed": { reason: "deleted" } };
  }
  const message = mailbox.messages.get(entry.key);
  if (message === undefined) return null; // it has left since; the removal is a later entry
  if (isNew && filter !== null && !passes(parseMessageFilter(filter), mailbox, message))
    return null;
  const isSparse = kind === "updated" && graphSwitch(world.context.switches, "sparseDeltaUpdates");
  const select = isSparse
    ? CHANGEABLE.filter((name) => view.select === null || view.select.includes(name))
    : view.select;
  return {
    "@odata.type": "#microsoft.graph.message",
    ...view.expand(message, showMessage(mailbox, message, { ...view, select })),
  };
}

function answer(world: DeltaWorld, call: GraphCall, round: Round) {
  const token = world.tokens.issue(round.next);
  const base = `${world.context.origin()}${call.request.path}`;
  const link = round.isDone
    ? { "@odata.deltaLink": `${base}?$deltatoken=${token}` }
    : { "@odata.nextLink": `${base}?$skiptoken=${token}` };
  return json(
    200,
    {
      "@odata.context": listContext(world, call).replace(/\(.*?\)$/, ""),
      ...link,
      value: round.value,
    },
    call,
  );
}
