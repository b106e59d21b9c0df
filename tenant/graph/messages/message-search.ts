/** `$search` over messages: Keyword Query Language, for the properties that mail has. */
import { badRequest } from "../call/graph-error.ts";
import type { Address, StoredMessage } from "../mailbox/mail-model.ts";
import { hasAttachments } from "./message-view.ts";

type Test = (message: StoredMessage) => boolean;

const people = (list: readonly (Address | null)[]) =>
  list.map((each) => (each === null ? "" : `${each.name} ${each.address}`)).join(" ");

/** Properties with text (docs: "Use the $search query parameter", messages). */
const TEXTS: Readonly<Record<string, (message: StoredMessage) => string>> = {
  attachment: ({ attachments }) => attachments.map(({ name }) => name).join(" "),
  bcc: ({ bccRecipients }) => people(bccRecipients),
  body: ({ body }) => body.content,
  category: ({ categories }) => categories.join(" "),
  cc: ({ ccRecipients }) => people(ccRecipients),
  from: ({ from }) => people([from]),
  importance: ({ importance }) => (importance === "normal" ? "normal medium" : importance),
  participants: (message) =>
    people([
      message.from,
      ...message.toRecipients,
      ...message.ccRecipients,
      ...message.bccRecipients,
    ]),
  recipients: (message) =>
    people([...message.toRecipients, ...message.ccRecipients, ...message.bccRecipients]),
  subject: ({ subject }) => subject,
  to: ({ toRecipients }) => people(toRecipients),
};

const TIMES: Readonly<Record<string, (message: StoredMessage) => number>> = {
  received: ({ receivedMs }) => receivedMs,
  sent: ({ sentMs }) => sentMs,
};

const DAY_MS = 86_400_000;

/** Throws for a query that is not KQL, or asks for a property that messages do not have. */
export function parseSearch(given: string): Test {
  const text = given.replace(/^\s*"([\s\S]*)"\s*$/, "$1").replaceAll('\\"', '"');
  const tokens =
    text.match(/\(|\)|[A-Za-z]+\s*(?::|>=|<=|=|<>|>|<)\s*(?:"[^"]*"|[^\s()]+)|"[^"]*"|[^\s()]+/g) ??
    [];
  if (tokens.length === 0) throw wrong("The search text is empty.");
  return createParser(tokens).whole();
}

function createParser(tokens: readonly string[]) {
  let at = 0;
  const either = (): Test => {
    let left = both();
    while (tokens[at] === "OR") {
      at += 1;
      const [one, other] = [left, both()];
      left = (message) => one(message) || other(message);
    }
    return left;
  };
  // Words next to each other must all be found.
  const both = (): Test => {
    let left = one();
    while (at < tokens.length && tokens[at] !== "OR" && tokens[at] !== ")") {
      if (tokens[at] === "AND") at += 1;
      const [first, second] = [left, one()];
      left = (message) => first(message) && second(message);
    }
    return left;
  };
  const one = (): Test => {
    const token = tokens[at++];
    if (token === undefined || token === ")" || token === "OR" || token === "AND")
      throw wrong("The search text is not complete.");
    if (token === "NOT") {
      const inner = one();
      return (message) => !inner(message);
    }
    if (token !== "(") return toTest(token);
    const inner = either();
    if (tokens[at++] !== ")") throw wrong("A parenthesis is missing in the search text.");
    return inner;
  };
  return {
    whole(): Test {
      const test = either();
      if (at < tokens.length) throw wrong("A parenthesis is missing in the search text.");
      return test;
    },
  };
}

function toTest(token: string): Test {
  const match = /^([A-Za-z]+)\s*(:|>=|<=|=|<>|>|<)\s*([\s\S]+)$/.exec(token);
  if (match === null) return anywhere(unquote(token));
  const [, name, operator, value] = match as unknown as [string, string, string, string];
  const property = name.toLowerCase();
  const wanted = unquote(value);
  const text = TEXTS[property];
  if (text !== undefined && (operator === ":" || operator === "=")) {
    return (message) => contains(text(message), wanted);
  }
  const time = TIMES[property];
  if (time !== undefined) return timeTest(time, operator, wanted);
  if (/^hasattachments?$/.test(property) && /^(true|false)$/i.test(wanted)) {
    return (message) => hasAttachments(message) === /^true$/i.test(wanted);
  }
  if (property === "isread" && /^(true|false)$/i.test(wanted)) {
    return (message) => message.isRead === /^true$/i.test(wanted);
  }
  if (property === "kind") return () => /^email$/i.test(wanted);
  if (property === "size") return sizeTest(operator, wanted);
  throw wrong(`'${name}' cannot be searched for in messages.`);
}

/** Without a property: searches from, subject and body. */
function anywhere(wanted: string): Test {
  return (message) =>
    contains(`${people([message.from])} ${message.subject} ${message.body.content}`, wanted);
}

function contains(text: string, wanted: string): boolean {
  return text.toLowerCase().includes(wanted.replace(/\*$/, "").toLowerCase());
}

function timeTest(
  read: (message: StoredMessage) => number,
  operator: string,
  wanted: string,
): Test {
  const [from, to = from] = wanted.split("..") as [string, string?];
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (Number.isNaN(start) || Number.isNaN(end)) throw wrong(`'${wanted}' is not a date.`);
  const dayEnd = /T/.test(to) ? end + 1 : end + DAY_MS;
  return (message) => {
    const ms = read(message);
    if (operator === ">=") return ms >= start;
    if (operator === ">") return ms >= dayEnd;
    if (operator === "<") return ms < start;
    if (operator === "<=") return ms < dayEnd;
    return (ms >= start && ms < dayEnd) !== (operator === "<>");
  };
}

function sizeTest(operator: string, wanted: string): Test {
  const [low, high = low] = wanted.split("..").map(Number) as [number, number?];
  if (Number.isNaN(low) || Number.isNaN(high)) throw wrong(`'${wanted}' is not a size.`);
  return (message) => {
    const size =
      message.body.content.length +
      message.attachments.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
    if (operator === ">=") return size >= low;
    if (operator === ">") return size > low;
    if (operator === "<") return size < low;
    if (operator === "<=") return size <= low;
    return size >= low && size <= (high ?? low);
  };
}

function unquote(text: string): string {
  return text.replace(/^"([\s\S]*)"$/, "$1");
}

function wrong(message: string) {
  return badRequest(`Syntax error in the $search: ${message}`, "BadRequest");
}
