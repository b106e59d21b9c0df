/** `customProperties` of a container: texts under names that the app chooses. */
import { GraphProblem } from "../graph/call/graph-error.ts";
import type { TenantResponse } from "../http.ts";
import { checkAccess } from "./drive-access.ts";
import { type DriveCall, isObject, readBody } from "./drive-call.ts";
import { checkBody, invalid } from "./drive-options.ts";
import type { Container } from "./store/drive-model.ts";
import { notFound } from "./store/drive-tree.ts";

export function answerCustomProperties(
  call: DriveCall,
  container: Container,
  name: string | null,
): TenantResponse {
  const { method } = call.request;
  checkAccess(call.store, call.caller, container, method === "GET" ? "read" : "manage");
  const { customProperties } = container;
  if (method === "GET" && name === null) return { status: 200, body: { ...customProperties } };
  if (method === "PATCH" && name === null) return change(call, container);
  if (name === null || method !== "GET") {
    throw new GraphProblem(405, "invalidRequest", "The method is not allowed here.");
  }
  const property = Object.hasOwn(customProperties, name) ? customProperties[name] : undefined;
  if (property === undefined) throw notFound();
  return { status: 200, body: property };
}

/** Null removes a property; the others stay as they are. */
function change(call: DriveCall, container: Container): TenantResponse {
  const body = readBody(call.request);
  const changed = Object.entries(body).map(([name, given]) => [name, readProperty(given)] as const);
  for (const [name, property] of changed) {
    if (property === null) delete container.customProperties[name];
    else container.customProperties[name] = property;
  }
  container.status = "active"; // the first write activates a container
  return { status: 200, body: { ...container.customProperties } };
}

function readProperty(given: unknown): { value: string; isSearchable: boolean } | null {
  if (given === null) return null;
  if (!isObject(given)) throw invalid("A custom property is an object with a value.");
  checkBody(given, ["value", "isSearchable"]);
  const { value, isSearchable = false } = given;
  if (typeof value !== "string" || typeof isSearchable !== "boolean") {
    throw invalid("The value of a custom property must be a string; it may be searchable.");
  }
  return { value, isSearchable };
}
