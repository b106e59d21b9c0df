/** Columns of a container, and their values on an item (`listItem/fields`). */
import { GraphProblem } from "../graph/call/graph-error.ts";
import { checkOptions } from "../graph/call/query-options.ts";
import type { TenantResponse } from "../http.ts";
import { checkAccess, checkItem } from "./drive-access.ts";
import {
  checkConditions,
  type DriveCall,
  type ItemCall,
  isObject,
  loadTarget,
  readBody,
  writerOf,
} from "./drive-call.ts";
import {
  checkBody,
  invalid,
  readExpand,
  selectFrom,
  selectOwn,
  type View,
} from "./drive-options.ts";
import {
  type Column,
  type ColumnType,
  type Container,
  eTagOf,
  type Item,
  iso,
} from "./store/drive-model.ts";
import { notFound, touch } from "./store/drive-tree.ts";

/** Must stay off, because their rules are not enforced here. */
const COLUMN_SWITCHES = ["required", "indexed", "hidden", "enforceUniqueValues"];
const COLUMN_TYPES: readonly ColumnType[] = ["text", "number", "boolean", "dateTime", "choice"];

export function answerColumns(
  call: DriveCall,
  container: Container,
  id: string | null,
): TenantResponse {
  const { method } = call.request;
  checkAccess(call.store, call.caller, container, method === "GET" ? "read" : "manage");
  const columns = container.columns ?? [];
  if (id === null) {
    if (method === "POST") return createColumn(call, container);
    if (method !== "GET") throw wrongMethod();
    return { status: 200, body: { value: columns.map(viewColumn) } };
  }
  const column = columns.find((each) => each.id === id || each.name === id);
  if (column === undefined) throw notFound();
  if (method === "GET") return { status: 200, body: viewColumn(column) };
  if (method !== "DELETE") throw wrongMethod();
  container.columns = columns.filter((each) => each !== column);
  return { status: 204 };
}

function createColumn(call: DriveCall, container: Container): TenantResponse {
  const body = readBody(call.request);
  checkBody(body, ["name", "displayName", "description", ...COLUMN_SWITCHES, ...COLUMN_TYPES]);
  const demanded = COLUMN_SWITCHES.find((each) => body[each] === true);
  if (demanded !== undefined) throw invalid(`'${demanded}' cannot be set on a column here.`);
  const { name } = body;
  if (typeof name !== "string" || !/^[A-Za-z]\w*$/.test(name)) throw invalid("A name is needed.");
  if (container.columns?.some((each) => each.name === name)) {
    throw new GraphProblem(409, "nameAlreadyExists", `A column '${name}' exists already.`);
  }
  const types = COLUMN_TYPES.filter((type) => body[type] !== undefined);
  if (types.length !== 1) throw invalid(`A column needs one of ${COLUMN_TYPES.join(", ")}.`);
  const settings = body[types[0]!];
  const column: Column = {
    id: call.store.world.uuid(),
    name,
    displayName: String(body["displayName"] ?? name),
    description: String(body["description"] ?? ""),
    type: types[0]!,
    settings: isObject(settings) ? settings : {},
  };
  container.columns = [...(container.columns ?? []), column];
  return { status: 201, body: viewColumn(column) };
}

function viewColumn({ id, name, displayName, description, type, settings }: Column) {
  return { id, name, displayName, description, readOnly: false, [type]: settings };
}

export function viewListItem(container: Container, item: Item, query: URLSearchParams): View {
  const [expansion] = readExpand(query, ["fields"]);
  if (expansion !== undefined) checkOptions(expansion.query, ["$select"], "invalidRequest");
  const view = {
    "@odata.etag": eTagOf(item),
    id: item.uniqueId,
    createdDateTime: iso(item.createdMs),
    lastModifiedDateTime: iso(item.modifiedMs),
    contentType: {
      id: item.isFolder ? "0x0120" : "0x0101",
      name: item.isFolder ? "Folder" : "Document",
    },
  };
  const shown = selectOwn(view, query);
  if (expansion === undefined) return shown;
  return { ...shown, fields: selectFields(container, item, expansion.query) };
}

/** A column without a value is left out. */
function selectFields(container: Container, item: Item, query: URLSearchParams): View {
  const view = viewFields(item);
  return selectFrom(view, query, (name) => {
    if (name in view || container.columns?.some((column) => column.name === name)) return;
    throw invalid(`Could not find a property named '${name}'.`);
  });
}

function viewFields(item: Item): View {
  return { "@odata.etag": eTagOf(item), id: item.uniqueId, FileLeafRef: item.name, ...item.fields };
}

export function getListItem(call: ItemCall): TenantResponse {
  checkItem(call, "read");
  return { status: 200, body: viewListItem(call.container, loadTarget(call), call.request.query) };
}

export function answerFields(call: ItemCall): TenantResponse {
  const isChange = call.request.method === "PATCH";
  checkItem(call, isChange ? "write" : "read");
  const item = loadTarget(call);
  if (isChange) {
    checkConditions(call.request, item);
    const values = readFields(call.container, readBody(call.request));
    item.fields = { ...item.fields, ...values };
    touch(call.container.drive, item, writerOf(call), "updated");
  }
  return { status: 200, body: selectFields(call.container, item, call.request.query) };
}

function readFields(container: Container, body: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(body)) {
    const column = container.columns?.find((each) => each.name === name);
    if (column === undefined) throw invalid(`Field '${name}' is not recognized`);
    if (value !== null && !isValid(column, value)) {
      throw invalid(`The value of '${name}' does not fit a column of type ${column.type}.`);
    }
  }
  return body;
}

function isValid({ type, settings }: Column, value: unknown): boolean {
  switch (type) {
    case "number": {
      const { minimum = -Infinity, maximum = Infinity } = settings;
      return typeof value === "number" && value >= Number(minimum) && value <= Number(maximum);
    }
    case "boolean":
      return typeof value === "boolean";
    case "dateTime":
      return typeof value === "string" && !Number.isNaN(Date.parse(value));
    case "choice": {
      const choices = settings["choices"];
      return typeof value === "string" && (!Array.isArray(choices) || choices.includes(value));
    }
    default:
      return typeof value === "string" && value.length <= Number(settings["maxLength"] ?? 255);
  }
}

function wrongMethod(): GraphProblem {
  return new GraphProblem(405, "invalidRequest", "The method is not allowed.");
}
