/** Turns a request's JSON into values of a table, or throws the error that Dataverse would return. */
import { badPayload, DataverseProblem, rowNotFound } from "./core/dataverse-error.ts";
import type { Rows, Value } from "./core/rows.ts";
import {
  type Column,
  findCollection,
  findNavigation,
  type Schema,
  type Table,
} from "./schema/schema.ts";

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface Payload {
  readonly values: Record<string, Value>;
  /** The id that the client chose, or null. */
  readonly id: string | null;
  /** Rows to create with this one: through a collection, pointing back to it. */
  readonly children: readonly { table: Table; attribute: string; body: Record<string, unknown> }[];
  /** Rows that are there already and are to point to this one. */
  readonly members: readonly { table: Table; attribute: string; id: string }[];
  /** Rows to create before this one: through a lookup. */
  readonly parents: readonly { table: Table; attribute: string; body: Record<string, unknown> }[];
}

interface PayloadWorld {
  readonly schema: Schema;
  readonly rows: Rows;
}

export function readPayload(
  { schema, rows }: PayloadWorld,
  table: Table,
  body: Record<string, unknown>,
): Payload {
  const values: Record<string, Value> = {};
  const children: Payload["children"][number][] = [];
  const parents: Payload["parents"][number][] = [];
  const members: Payload["members"][number][] = [];
  let id: string | null = null;
  for (const [name, sent] of Object.entries(body)) {
    if (name.endsWith("@odata.bind")) {
      const bound = name.slice(0, -11);
      if (Array.isArray(sent)) members.push(...bindMany({ schema, rows }, table, bound, sent));
      else bind(schema, rows, table, bound, sent, values);
      continue;
    }
    if (name.startsWith("@") || name.includes("@")) continue; // annotations are ignored
    const collection = Array.isArray(sent) ? findCollection(schema, table, name) : undefined;
    if (collection !== undefined) {
      const { referencing, attribute } = collection;
      for (const child of sent as unknown[]) {
        if (!isObject(child))
          throw badPayload(table.setName, `An entry of '${name}' is no object.`);
        children.push({ table: referencing, attribute, body: child });
      }
      continue;
    }
    const navigation = isObject(sent) ? findNavigation(schema, table, name) : undefined;
    if (navigation !== undefined && isObject(sent)) {
      parents.push({ table: navigation.referenced, attribute: navigation.attribute, body: sent });
      continue;
    }
    const column = table.columns[name];
    if (column === undefined || column.type === "lookup") {
      throw badPayload(
        table.setName,
        `Invalid property '${name}' was found in entity 'Microsoft.Dynamics.CRM.${table.name}'.`,
      );
    }
    const value = readValue(table, name, column, sent);
    if (name === table.primaryId) id = value as string | null;
    // Read-only columns may be sent and are ignored, as the service does.
    else if (!column.readOnly) values[name] = value;
  }
  return { values, id, children, parents, members };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Case matters here: `sprk_Matter` is a property, `sprk_matter` is not. */
function bind(
  schema: Schema,
  rows: Rows,
  table: Table,
  name: string,
  sent: unknown,
  values: Record<string, Value>,
): void {
  const relationship = findNavigation(schema, table, name);
  if (relationship === undefined) throw undeclared(table, name);
  if (sent === null) {
    values[relationship.attribute] = null;
    return;
  }
  const id = readBound({ schema, rows }, table, { name, sent, target: relationship.referenced });
  values[relationship.attribute] = { table: relationship.referenced.name, id };
}

/** A collection is bound by a list: each row that it names gets a lookup to the row of the payload. */
function bindMany(
  world: PayloadWorld,
  table: Table,
  name: string,
  sent: readonly unknown[],
): Payload["members"] {
  const relationship = findCollection(world.schema, table, name);
  if (relationship === undefined) throw undeclared(table, name);
  const { referencing, attribute } = relationship;
  return sent.map((each) => ({
    table: referencing,
    attribute,
    id: readBound(world, table, { name, sent: each, target: referencing }),
  }));
}

function undeclared(table: Table, name: string): DataverseProblem {
  return badPayload(
    table.setName,
    `An undeclared property '${name}' which only has property annotations in the payload but no property value was found in the payload. In OData, only declared navigation properties and declared named streams can be represented as properties without values.`,
  );
}

/** The id of the row that a binding names. */
function readBound(
  { schema, rows }: PayloadWorld,
  table: Table,
  { name, sent, target }: { name: string; sent: unknown; target: Table },
): string {
  const found = readReference(schema, rows, sent);
  if (found === null || found.table !== target) {
    throw badPayload(
      table.setName,
      `The value '${String(sent)}' of '${name}' is not a reference to ${target.setName}.`,
    );
  }
  if (rows.get(found.table, found.id) === null) throw rowNotFound(found.table.name, found.id);
  return found.id;
}

/** `/accounts(guid)`, `accounts(guid)` or the full URL; also by an alternate key. */
export function readReference(
  schema: Schema,
  rows: Rows,
  sent: unknown,
): { table: Table; id: string } | null {
  const parts = /(?:^|\/)([A-Za-z_0-9]+)\(([^()]*)\)$/.exec(String(sent));
  const table = parts === null ? undefined : schema.bySet(parts[1]!);
  if (parts === null || table === undefined) return null;
  if (GUID.test(parts[2]!)) return { table, id: parts[2]!.toLowerCase() };
  const key = readKey(table, parts[2]!);
  const row = key === null ? null : rows.findByKey(table, key.columns, key.values);
  return row === null ? null : { table, id: row.id };
}

/** `a='x',b=1` as the values of an alternate key; null if the table has no such key. */
export function readKey(
  table: Table,
  text: string,
): { columns: readonly string[]; values: Record<string, Value> } | null {
  const values: Record<string, Value> = {};
  const pairs = text.match(/(?:[^,']|'(?:[^']|'')*')+/g) ?? [];
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    const name = pair
      .slice(0, at)
      .trim()
      .replace(/^_(.*)_value$/, "$1");
    const column = table.columns[name];
    const value = column === undefined ? null : readLiteral(column, pair.slice(at + 1).trim());
    if (at < 0 || value === null) return null;
    values[name] = value;
  }
  const key = table.keys.find(
    ({ columns }) =>
      columns.length === pairs.length && columns.every((column) => values[column] !== undefined),
  );
  return key === undefined ? null : { columns: key.columns, values };
}

/** A value as written in a URL: text in quotes, ids and numbers without. Null if it is neither. */
function readLiteral(column: Column, literal: string): Value {
  if (column.type === "lookup") {
    const { table } = column.targets[0]!;
    return GUID.test(literal) ? { table, id: literal.toLowerCase() } : null;
  }
  if (column.type === "guid") return GUID.test(literal) ? literal.toLowerCase() : null;
  if (column.type === "int" || column.type === "choice") {
    return /^-?\d+$/.test(literal) ? Number(literal) : null;
  }
  const isQuoted = literal.length >= 2 && literal.startsWith("'") && literal.endsWith("'");
  return isQuoted ? literal.slice(1, -1).replaceAll("''", "'") : null;
}

export function isGuid(text: string): boolean {
  return GUID.test(text);
}

export function readValue(table: Table, name: string, column: Column, sent: unknown): Value {
  if (sent === null) return null;
  const wrong = (type: string) =>
    badPayload(
      table.setName,
      `Cannot convert the literal '${String(sent)}' to the expected type '${type}'.`,
    );
  switch (column.type) {
    case "text":
    case "memo":
      if (typeof sent !== "string") throw wrong("Edm.String");
      if (sent.length > column.max) throw tooLong(table, name, column.max);
      return sent;
    case "int":
      return readInt(table, name, column, sent, wrong);
    case "bigint":
    case "decimal":
      if (typeof sent !== "number")
        throw wrong(column.type === "bigint" ? "Edm.Int64" : "Edm.Decimal");
      return sent;
    case "bool":
      if (typeof sent !== "boolean") throw wrong("Edm.Boolean");
      return sent;
    case "date":
      if (typeof sent !== "string" || Number.isNaN(Date.parse(sent)))
        throw wrong("Edm.DateTimeOffset");
      // The service stores whole seconds.
      return `${new Date(sent).toISOString().slice(0, 19)}Z`;
    case "guid":
      if (typeof sent !== "string" || !GUID.test(sent)) throw wrong("Edm.Guid");
      return sent.toLowerCase();
    case "choice":
    case "state":
    case "status":
      return readChoice(table, name, column.options, sent, wrong);
    default:
      throw wrong("a navigation property");
  }
}

function readInt(
  table: Table,
  name: string,
  column: Extract<Column, { type: "int" }>,
  sent: unknown,
  wrong: (type: string) => Error,
): number {
  const isInt32 = Number.isInteger(sent) && Math.abs(sent as number) <= 2_147_483_647;
  if (typeof sent !== "number" || !isInt32) throw wrong("Edm.Int32");
  const [min, max] = [column.min ?? -2_147_483_648, column.max ?? 2_147_483_647];
  if (sent >= min && sent <= max) return sent;
  throw new DataverseProblem(
    400,
    "0x80044330",
    `A validation error occurred. The value of '${name}' on record of type '${table.name}' is outside the valid range of ${min} to ${max}.`,
  );
}

function readChoice(
  table: Table,
  name: string,
  options: Readonly<Record<number, string>>,
  sent: unknown,
  wrong: (type: string) => Error,
): number {
  if (typeof sent !== "number" || !Number.isInteger(sent)) throw wrong("Edm.Int32");
  if (options[sent] !== undefined) return sent;
  throw new DataverseProblem(
    400,
    "0x8004431a",
    `A validation error occurred. The value ${sent} of '${name}' on record of type '${table.name}' is outside the valid range. Accepted Values: ${Object.keys(options).join(",")}`,
  );
}

function tooLong(table: Table, name: string, max: number): DataverseProblem {
  return new DataverseProblem(
    400,
    "0x80044331",
    `A validation error occurred. The length of the '${name}' attribute of the '${table.name}' entity exceeded the maximum allowed length of '${max}'.`,
  );
}
