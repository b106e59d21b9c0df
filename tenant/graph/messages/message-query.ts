/** `$filter`, `$orderby` and `$search` over messages. */
import { compare, walk } from "../../odata/compare.ts";
import { parseExpression } from "../../odata/expression.ts";
import { compile, type Field, propertiesOf, type Source, type Test } from "../../odata/filter.ts";
import { createJsonSource } from "../../odata/json-source.ts";
import { ODataSyntaxError } from "../../odata/tokens.ts";
import { badRequest } from "../call/graph-error.ts";
import type { StoredMessage } from "../mailbox/mail-model.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { idOf } from "../mailbox/mailbox.ts";
import { extendedOf, MULTI, SINGLE } from "./extended-properties.ts";
import { parseSearch } from "./message-search.ts";
import type { ViewOptions } from "./message-view.ts";
import { parseSelect, propertyOf } from "./message-view.ts";

export interface Filter {
  readonly test: Test;
  /** The properties in order of first use, as written before the first slash. */
  readonly properties: readonly string[];
}

export interface Order {
  readonly path: readonly string[];
  readonly isDescending: boolean;
}

export interface MessageQuery {
  readonly filter: Filter | null;
  readonly order: readonly Order[];
  readonly search: ((message: StoredMessage) => boolean) | null;
}

const PLAIN_VIEW: ViewOptions = { form: "default", bodyForm: "html", select: null, isBasic: false };

export function parseQuery(query: URLSearchParams): MessageQuery {
  const filterText = query.get("$filter");
  const filter = filterText === null ? null : parseMessageFilter(filterText);
  const order = parseOrder(query.get("$orderby"));
  const search = query.get("$search");
  if (search !== null) checkAlone(filter, order);
  checkEfficiency(filter, order);
  return { filter, order, search: search === null ? null : parseSearch(search) };
}

/** A search is sorted by date and takes no filter besides. */
function checkAlone(filter: Filter | null, order: readonly Order[]): void {
  if (order.length > 0) {
    throw badRequest(
      "The query parameter '$orderBy' is not supported with '$search'.",
      "SearchWithOrderBy",
    );
  }
  if (filter === null) return;
  throw badRequest(
    "The query parameter '$filter' is not supported with '$search'.",
    "SearchWithFilter",
  );
}

/** Graph's rule: each property that orders must also filter, first and in the same order. */
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
  try {
    const expression = parseExpression(text);
    return { test: compile(expression, MESSAGES), properties: propertiesOf(expression) };
  } catch (error) {
    if (!(error instanceof ODataSyntaxError)) throw error;
    throw badRequest(
      `Invalid filter clause: ${error.message} at position ${error.at} in '${text}'.`,
      "RequestBroker--ParseUri",
    );
  }
}

function parseOrder(text: string | null): Order[] {
  if (text === null || text.trim() === "") return [];
  return text.split(",").map((part) => {
    const [name = "", direction = "asc"] = part.trim().split(/\s+/);
    const path = name.split("/");
    parseSelect(path[0]!);
    checkComparable(path);
    if (!/^(asc|desc)$/i.test(direction))
      throw badRequest(`Syntax error at '${part}' in $orderby.`, "RequestBroker--ParseUri");
    return { path, isDescending: /^desc$/i.test(direction) };
  });
}

interface Candidate {
  readonly mailbox: Mailbox;
  readonly message: StoredMessage;
}

/** How filters read a message: by the names and types that Graph shows. */
const MESSAGES: Source = {
  field(names) {
    checkComparable(names);
    return { type: typeOf(names), read: readerOf(names) };
  },
  collection(names) {
    const extended = [SINGLE, MULTI].find((each) => each.toLowerCase() === names[0]?.toLowerCase());
    if (extended !== undefined && names.length === 1) {
      const items = (item: unknown) =>
        extendedOf((item as Candidate).message, extended as typeof SINGLE);
      return { source: createJsonSource(), items };
    }
    if (RECIPIENTS.test(names[0] ?? "")) {
      throw badRequest(
        "The query filter contains one or more invalid nodes.",
        "ErrorInvalidUrlQueryFilter",
      );
    }
    const read = readerOf(names);
    // Categories and headers: lists inside a message.
    return { source: createJsonSource(), items: (item) => toList(read(item)) };
  },
};

/** Seen, not documented: Exchange refuses filters by recipients; a search finds them. */
const RECIPIENTS = /^(to|cc|bcc)Recipients$|^replyTo$/i;
const TIMES = /^(received|sent|created|lastModified)DateTime$/i;
const TRUTHS =
  /^(isRead|isDraft|hasAttachments|isDeliveryReceiptRequested|isReadReceiptRequested)$/i;

/** Properties that have parts, and the parts that can be compared. */
const PARTS: Readonly<Record<string, RegExp>> = {
  from: /^emailAddress\/(address|name)$/i,
  sender: /^emailAddress\/(address|name)$/i,
  body: /^content(Type)?$/i,
  uniquebody: /^content(Type)?$/i,
  flag: /^(flagStatus|(dueDateTime|startDateTime|completedDateTime)\/(dateTime|timeZone))$/i,
};
const LISTS = /^(categories|internetMessageHeaders|replyTo|attachments|(to|cc|bcc)Recipients)$/i;

/** A name that leads to no plain value would compare as null, and so match nothing without a word. */
function checkComparable([first = "", ...rest]: readonly string[]): void {
  const parts = PARTS[first.toLowerCase()];
  const isPlain = rest.length === 0 && parts === undefined && !LISTS.test(first);
  if (isPlain || parts?.test(rest.join("/"))) return;
  const message =
    rest.length === 0
      ? `The property '${first}' cannot be compared.`
      : `Could not find a property named '${rest.join("/")}' on '${first}'.`;
  throw badRequest(message, "RequestBroker--ParseUri");
}

function typeOf(names: readonly string[]): Field["type"] {
  if (names.length > 1) return null;
  if (TIMES.test(names[0]!)) return "time";
  return TRUTHS.test(names[0]!) ? "boolean" : null;
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function readerOf(path: readonly string[]): (item: unknown) => unknown {
  const [first = "", ...rest] = path;
  if (first.toLowerCase() === "id") {
    return (item) => {
      const { mailbox, message } = item as Candidate;
      return idOf(mailbox, message, "default");
    };
  }
  const [name] = parseSelect(first) ?? [];
  return (item) => {
    const { mailbox, message } = item as Candidate;
    return name === undefined ? null : walk(propertyOf(mailbox, message, name, PLAIN_VIEW), rest);
  };
}

export function passes(filter: Filter, mailbox: Mailbox, message: StoredMessage): boolean {
  return filter.test({ mailbox, message } satisfies Candidate);
}

export function sortMessages(
  mailbox: Mailbox,
  messages: StoredMessage[],
  order: readonly Order[],
): StoredMessage[] {
  const keys = order.map(({ path, isDescending }) => ({ read: readerOf(path), isDescending }));
  return messages.sort((left, right) => {
    for (const { read, isDescending } of keys) {
      const difference =
        compare(read({ mailbox, message: left }), read({ mailbox, message: right })) ?? 0;
      if (difference !== 0) return isDescending ? -difference : difference;
    }
    return 0;
  });
}

/** Newest first is the natural order, which needs no sorting. */
export function isNatural(order: readonly Order[]): boolean {
  if (order.length === 0) return true;
  return (
    order.length === 1 &&
    order[0]!.isDescending &&
    order[0]!.path.join("/").toLowerCase() === "receiveddatetime"
  );
}
