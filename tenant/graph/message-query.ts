/** `$filter`, `$orderby` and `$search` over messages. */
import { badRequest } from "./graph-error.ts";
import type { StoredMessage } from "./mail-model.ts";
import type { Mailbox } from "./mailbox.ts";
import { idOf } from "./mailbox.ts";
import type { ViewOptions } from "./message-view.ts";
import { parseSelect, propertyOf } from "./message-view.ts";
import type { Filter } from "./odata-filter.ts";
import { compare, parseFilter, walk } from "./odata-filter.ts";

export interface Order {
  readonly path: readonly string[];
  readonly isDescending: boolean;
}

export interface MessageQuery {
  readonly filter: Filter | null;
  readonly order: readonly Order[];
  readonly search: string | null;
}

const PLAIN_VIEW: ViewOptions = { form: "default", bodyForm: "html", select: null, isBasic: false };

export function parseQuery(query: URLSearchParams): MessageQuery {
  const filterText = query.get("$filter");
  const filter = filterText === null ? null : parseMessageFilter(filterText);
  const order = parseOrder(query.get("$orderby"));
  const search = query.get("$search");
  if (search !== null && (filter !== null || order.length > 0)) {
    throw badRequest(
      "The query parameter '$search' cannot be combined with '$filter' or '$orderby'.",
      "SearchWithFilter",
    );
  }
  checkEfficiency(filter, order);
  return { filter, order, search: search === null ? null : search.replace(/^"|"$/g, "") };
}

/** Each property that orders must also filter, first and in the same order. */
function checkEfficiency(filter: Filter | null, order: readonly Order[]): void {
  if (filter === null) return;
  const isEfficient = order.every(
    ({ path }, index) => filter.properties[index]?.toLowerCase() === path[0]!.toLowerCase(),
  );
  if (isEfficient) return;
  throw badRequest(
    "The restriction or sort order is too complex for this operation.",
    "InefficientFilter",
  );
}

export function parseMessageFilter(text: string): Filter {
  const filter = parseFilter(text);
  for (const name of filter.properties) if (name.toLowerCase() !== "id") parseSelect(name);
  return filter;
}

function parseOrder(text: string | null): Order[] {
  if (text === null || text.trim() === "") return [];
  return text.split(",").map((part) => {
    const [name = "", direction = "asc"] = part.trim().split(/\s+/);
    const path = name.split("/");
    parseSelect(path[0]!);
    if (!/^(asc|desc)$/i.test(direction))
      throw badRequest(`Syntax error at '${part}' in $orderby.`, "RequestBroker--ParseUri");
    return { path, isDescending: /^desc$/i.test(direction) };
  });
}

/** How filters read a message: by the names and shapes that Graph shows. */
function readMessage(mailbox: Mailbox, message: StoredMessage, path: readonly string[]): unknown {
  const [first = "", ...rest] = path;
  if (first.toLowerCase() === "id") return idOf(mailbox, message, "default");
  const [name] = parseSelect(first) ?? [];
  return name === undefined ? null : walk(propertyOf(mailbox, message, name, PLAIN_VIEW), rest);
}

export function passes(filter: Filter, mailbox: Mailbox, message: StoredMessage): boolean {
  return filter.test((path) => readMessage(mailbox, message, path));
}

export function matchesSearch(message: StoredMessage, search: string): boolean {
  const [, field = "", words = search] = /^(subject|from|body|to)\s*:\s*(.+)$/i.exec(search) ?? [];
  const text = searchText(message, field.toLowerCase()).toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word.replace(/^"|"$/g, "")));
}

function searchText(message: StoredMessage, field: string): string {
  const from = `${message.from?.name ?? ""} ${message.from?.address ?? ""}`;
  const to = message.toRecipients.map((each) => `${each.name} ${each.address}`).join(" ");
  if (field === "subject") return message.subject;
  if (field === "from") return from;
  if (field === "to") return to;
  if (field === "body") return message.body.content;
  return [message.subject, from, message.body.content].join(" ");
}

export function sortMessages(
  mailbox: Mailbox,
  messages: StoredMessage[],
  order: readonly Order[],
): StoredMessage[] {
  return messages.sort((left, right) => {
    for (const { path, isDescending } of order) {
      const difference =
        compare(readMessage(mailbox, left, path), readMessage(mailbox, right, path)) ?? 0;
      if (difference !== 0) return isDescending ? -difference : difference;
    }
    return 0;
  });
}

/** Newest first is the natural order, for which nothing need be sorted. */
export function isNatural(order: readonly Order[]): boolean {
  if (order.length === 0) return true;
  return (
    order.length === 1 &&
    order[0]!.isDescending &&
    order[0]!.path.join("/").toLowerCase() === "receiveddatetime"
  );
}
