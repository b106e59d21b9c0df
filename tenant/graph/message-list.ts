/** Listing the messages of a folder or of the whole mailbox, newest first. */
import type { GraphCall } from "./graph-call.ts";
import { contextUrl, json } from "./graph-call.ts";
import { indexFromEnd, remaining } from "./lazy-block.ts";
import type { StoredMessage } from "./mail-model.ts";
import type { MailScope, MailWorld } from "./mail-scope.ts";
import { scopeOf, viewOf } from "./mail-scope.ts";
import { generateLazy } from "./mail-store.ts";
import type { FolderState } from "./mailbox.ts";
import { showMessage } from "./message-view.ts";
import { nextLink, pageOf } from "./paging.ts";

const DEFAULT_PAGE = 10;

export function listMessages(world: MailWorld, call: GraphCall) {
  const scope = scopeOf(world, call, "read-basic");
  const view = viewOf(call);
  const page = pageOf(call, DEFAULT_PAGE);
  const source = messageSource(world, scope);
  const found: StoredMessage[] = [];
  for (let position = page.skip; position < source.count && found.length < page.top; position++) {
    found.push(source.at(position));
  }
  const body: Record<string, unknown> = {
    "@odata.context": listContext(world, call),
    value: found.map((message) => showMessage(scope.mailbox, message, view)),
  };
  if (page.skip + page.top < source.count) {
    body["@odata.nextLink"] = nextLink(world.context, call, page.skip + page.top);
  }
  return json(200, body, call);
}

export interface MessageSource {
  readonly count: number;
  /** The message at a place counted from the newest. */
  at(position: number): StoredMessage;
}

/** Ordinary messages first, then the lazy blocks, which are taken to be older. */
export function messageSource(world: MailWorld, scope: MailScope): MessageSource {
  const { mailbox, folder } = scope;
  const items = folder === null ? mailbox.all.items : folder.messages.items;
  const states = folder === null ? [...mailbox.folders.values()] : [folder];
  const blocks = states.filter((state) => state.lazy !== null);
  const nowMs = world.context.clock.now();
  const visible = items.some((message) => message.visibleFromMs > nowMs)
    ? items.filter((message) => message.visibleFromMs <= nowMs)
    : items;
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
