/** Extended (MAPI) properties of messages: named ones that clients write, and a few that Exchange fills. */
import { parseFilter } from "../../odata/filter.ts";
import { createJsonSource } from "../../odata/json-source.ts";
import { ODataSyntaxError } from "../../odata/tokens.ts";
import { badRequest } from "../call/graph-error.ts";
import { headersOf } from "../mailbox/mail-headers.ts";
import type { ExtendedProperty, StoredMessage } from "../mailbox/mail-model.ts";

const GUID = "\\{[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\}";
const TYPES =
  "ApplicationTime|Binary|Boolean|CLSID|Currency|Double|Float|Integer|Long|Short|String|SystemTime";
const ID = new RegExp(
  `^(?:${TYPES})(?:Array)?\\s+(?:0x[0-9a-f]{1,4}|${GUID}\\s+(?:Name\\s+.+|Id\\s+0x[0-9a-f]{1,4}))$`,
  "i",
);

export const SINGLE = "singleValueExtendedProperties";
export const MULTI = "multiValueExtendedProperties";

/** MAPI tags that every message has: transport headers, subject, internet message id. */
const OWN: Readonly<Record<string, (message: StoredMessage) => string | undefined>> = {
  "string 0x7d": (message) => {
    const headers = headersOf(message);
    return headers.length === 0
      ? undefined
      : headers.map(({ name, value }) => `${name}: ${value}`).join("\r\n");
  },
  "string 0x37": (message) => message.subject,
  "string 0x1035": (message) => message.internetMessageId,
};

export function readExtended(
  given: unknown,
  name: typeof SINGLE | typeof MULTI,
): ExtendedProperty[] {
  if (!Array.isArray(given)) throw wrong(`'${name}' must be a list.`);
  return given.map((each) => {
    const { id, value, ...rest } = (each ?? {}) as Record<string, unknown>;
    const unknown = Object.keys(rest).find((key) => !key.startsWith("@"));
    if (unknown !== undefined)
      throw wrong(`The property '${unknown}' does not exist on an extended property.`);
    checkId(id);
    const isFit =
      name === SINGLE
        ? typeof value === "string"
        : Array.isArray(value) && value.every((one) => typeof one === "string");
    if (!isFit) throw wrong(`The value of the extended property '${String(id)}' is not valid.`);
    return { id: id as string, value: value as string | string[] };
  });
}

/** New values replace those of the same id; the others stay. */
export function mergeExtended(
  known: readonly ExtendedProperty[],
  given: readonly ExtendedProperty[],
): ExtendedProperty[] {
  const isReplaced = ({ id }: ExtendedProperty) => given.some((each) => isSameId(each.id, id));
  return [...known.filter((each) => !isReplaced(each)), ...given];
}

function checkId(id: unknown): void {
  if (typeof id === "string" && ID.test(id)) return;
  throw wrong(
    `The extended property id '${String(id)}' is not valid.`,
    "ErrorInvalidExtendedProperty",
  );
}

function isSameId(one: string, other: string): boolean {
  return canonical(one) === canonical(other);
}

/** Ignores case, spaces and leading zeros. */
function canonical(id: string): string {
  return id
    .trim()
    .replace(/\s+/g, " ")
    .replace(/0x0*(?=[0-9a-f])/gi, "0x")
    .toLowerCase();
}

/** The extended properties of one kind, as `$filter` sees them. */
export function extendedOf(
  message: StoredMessage,
  name: typeof SINGLE | typeof MULTI,
): ExtendedProperty[] {
  const isSingle = name === SINGLE;
  return (message.extended ?? []).filter(({ value }) => (typeof value === "string") === isSingle);
}

/** `$expand=singleValueExtendedProperties($filter=id eq '…')`; without a filter there is nothing to show. */
export function expandExtended(
  name: typeof SINGLE | typeof MULTI,
  filter: string | null,
): (message: StoredMessage) => ExtendedProperty[] {
  if (filter === null)
    throw wrong(`$expand of '${name}' needs a $filter by id.`, "ErrorInvalidUrlQuery");
  const ids = [...filter.matchAll(/\bid\s+eq\s+'((?:[^']|'')*)'/gi)].map(([, id]) =>
    id!.replaceAll("''", "'"),
  );
  for (const id of ids) checkId(id);
  const test = compile(filter);
  return (message) => {
    const own = name === SINGLE ? ids.flatMap((id) => ownOf(message, id)) : [];
    const written = extendedOf(message, name).flatMap((each) => {
      // The id is returned as it was requested.
      const asked = ids.find((id) => isSameId(id, each.id));
      return asked !== undefined && test({ ...each, id: asked }) ? [{ ...each, id: asked }] : [];
    });
    return [...written, ...own.filter((each) => test(each))];
  };
}

function ownOf(message: StoredMessage, id: string): ExtendedProperty[] {
  const value = OWN[canonical(id)]?.(message);
  return value === undefined ? [] : [{ id, value }];
}

function compile(filter: string): (property: unknown) => boolean {
  const source = createJsonSource((property) => {
    if (property !== "id" && property !== "value")
      throw wrong(`'${property}' is not a property of an extended property.`);
  });
  try {
    return parseFilter(filter, source);
  } catch (error) {
    if (!(error instanceof ODataSyntaxError)) throw error;
    throw wrong(
      `Invalid filter clause: ${error.message} in '${filter}'.`,
      "RequestBroker--ParseUri",
    );
  }
}

function wrong(message: string, code = "ErrorInvalidRequest") {
  return badRequest(message, code);
}
