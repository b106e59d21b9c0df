/** Parameters of an action. */
import type { TenantRequest } from "../../http.ts";
import { readJson } from "./graph-call.ts";
import { badRequest } from "./graph-error.ts";

/** Throws for the first parameter that the action would ignore. */
export function checkParameters(body: Record<string, unknown>, allowed: readonly string[]): void {
  const unknown = Object.keys(body).find(
    (name) => !allowed.includes(name) && !name.startsWith("@"),
  );
  if (unknown === undefined) return;
  throw badRequest(
    `The parameter '${unknown}' in the request payload is not a valid parameter for the operation.`,
    "RequestBodyRead",
  );
}

/** For an action that takes none; most clients send no body at all. */
export function checkNoParameters(request: TenantRequest): void {
  if (request.body.length > 0) checkParameters(readJson(request), []);
}
