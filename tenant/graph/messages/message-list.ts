/** Listing the messages of a folder or of the whole mailbox, newest first. */

import type { GraphCall } from "../call/graph-call.ts";
import { contextUrl, json } from "../call/graph-call.ts";
import type { Page } from "../call/paging.ts";
import { nextLink, pageOf } from "../call/paging.ts";
import { indexFromEnd, remaining } from "../mailbox/lazy-block.ts";
import type { StoredMessage } from "../mailbox/mail-model.ts";
import type { FolderState } from "../mailbox/mailbox.ts";
import { generateLazy } from "../mailbox/new-message.ts";
import { withExpansions } from "./expand.ts";
import type { MailScope, MailWorld } from "./mail-scope.ts";
import { scopeOf, viewOf } from "./mail-scope.ts";
import type { MessageQuery } from "./message-query.ts";
import { isNatural, parseQuery, passes, sortMessages } from "./message-query.ts";
import { showMessage } from "./message-view.ts";

const DEFAULT_PAGE = 10;
/** A page of a filtered list ends after scanning this many messages, full or not. */
const SCAN_MAX = 20_000;

interface Found {
  readonly messages: readonly StoredMessage[];
  /** Where the next page begins, or null at the end. */
  readonly nextSkip: number | null;
}

export function listMessages(world: MailWorld, call: GraphCall) {
  const scope = scopeOf(world, call, "read-basic");
  const view = viewOf(call);
  const page = pageOf(call, DEFAULT_PAGE);
  const query = parseQuery(call.request.query);
  const source = messageSource(world, scope);
  const isEmpty =
    world.context.faults.strike("empty-page", {
      mailbox: scope.user.id,
      path: call.request.path,
    }) !== null;
  const found = isEmpty
    ? { messages: [], nextSkip: page.skip }
    : findPage(scope, source, query, page, call.request.query.has("$skiptoken"));
  const body: Record<string, unknown> = { "@odata.context": listContext(world, call) };
  if (/^true$/i.test(call.request.query.get("$count") ?? ""))
    body["@odata.count"] = countAll(scope, source, query);
  const expand = withExpansions(world, call, scope);
  body["value"] = found.messages.map((message) =>
    expand(message, showMessage(scope.mailbox, message, view)),
  );
  if (found.nextSkip !== null)
    body["@odata.nextLink"] = nextLink(world.context, call, found.nextSkip);
  return json(200, body, call);
}

/** `messages/$count`: the bare number. */
export function countMessages(world: MailWorld, call: GraphCall) {
  const scope = scopeOf(world, call, "read-basic");
  const count = countAll(scope, messageSource(world, scope), parseQuery(call.request.query));
  return { status: 200, headers: { "content-type": "text/plain" }, body: String(count) };
}

function findPage(
  scope: MailScope,
  source: MessageSource,
  query: MessageQuery,
  page: Page,
  isOurLink: boolean,
): Found {
  if (!isNatural(query.order)) return findSorted(scope, source, query, page);
  const messages: StoredMessage[] = [];
  const isPlain = query.filter === null && query.search === null;
  // Our own links count scanned messages; a caller's `$skip` counts those that match.
  let toSkip = isPlain || isOurLink ? 0 : page.skip;
  let position = isPlain || isOurLink ? page.skip : 0;
  const until = Math.min(source.count, isPlain ? source.count : position + SCAN_MAX);
  for (; position < until && messages.length < page.top; position++) {
    const message = source.at(position);
    if (!isPlain && !isWanted(scope, message, query)) continue;
    if (toSkip > 0) toSkip -= 1;
    else messages.push(message);
  }
  return { messages, nextSkip: position < source.count ? position : null };
}

function findSorted(
  scope: MailScope,
  source: MessageSource,
  query: MessageQuery,
  page: Page,
): Found {
  const all: StoredMessage[] = [];
  for (let position = 0; position < source.count; position++) {
    const message = source.at(position);
    if (isWanted(scope, message, query)) all.push(message);
  }
  const end = page.skip + page.top;
  return {
    messages: sortMessages(scope.mailbox, all, query.order).slice(page.skip, end),
    nextSkip: end < all.length ? end : null,
  };
}

function countAll(scope: MailScope, source: MessageSource, query: MessageQuery): number {
  if (query.filter === null && query.search === null) return source.count;
  let count = 0;
  for (let position = 0; position < source.count; position++) {
    if (isWanted(scope, source.at(position), query)) count += 1;
  }
  return count;
}

function isWanted(scope: MailScope, message: StoredMessage, query: MessageQuery): boolean {
  if (query.filter !== null && !passes(query.filter, scope.mailbox, message)) return false;
  return query.search === null || query.search(message);
}

interface MessageSource {
  readonly count: number;
  /** The message at a position counted from the newest. */
  at(position: number): StoredMessage;
}

/** Ordinary messages first, then the lazy blocks, which are assumed to be older. */
function messageSource(world: MailWorld, scope: MailScope): MessageSource {
  const { mailbox, folder } = scope;
  const items = folder === null ? mailbox.all.items : folder.messages.items;
  const states = folder === null ? [...mailbox.folders.values()] : [folder];
  const blocks = states.filter((state) => state.lazy !== null);
  const nowMs = world.context.clock.now();
  const visible =
    mailbox.lagging.size === 0 ? items : items.filter((message) => message.visibleFromMs <= nowMs);
  return {
    count: visible.length + blocks.reduce((sum, state) => sum + remaining(state.lazy!), 0),
    at(position) {
      if (position < visible.length) return visible[visible.length - 1 - position]!;
      return lazyAt(world, scope, blocks, position - visible.length);
    },
  };
}

function lazyAt(
  world: MailWorld,
  scope: MailScope,
  blocks: FolderState[],
  position: number,
): StoredMessage {
  let left = position;
  for (const state of blocks) {
    const size = remaining(state.lazy!);
    if (left < size) {
      const index = indexFromEnd(state.lazy!, left);
      return generateLazy(scope.mailbox, state, index, world.context.clock.now());
    }
    left -= size;
  }
  throw new RangeError(`no message at ${position}`);
}

export function listContext(world: MailWorld, call: GraphCall, ending = ""): string {
  const folder = call.params["folder"];
  const path =
    folder === undefined ? "messages" : `mailFolders('${encodeURIComponent(folder)}')/messages`;
  const select = call.request.query.get("$select");
  return contextUrl(
    world.context,
    call,
    `users('${encodeURIComponent(call.params["user"]!)}')/${path}${select === null ? "" : `(${select})`}${ending}`,
  );
}
