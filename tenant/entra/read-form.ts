import type { TenantRequest } from "../http.ts";
import { refuse } from "./entra-error.ts";

export function readForm(request: TenantRequest): URLSearchParams {
  const form = new URLSearchParams(request.body.toString("utf8"));
  checkOnce(form);
  return form;
}

/** RFC 6749, section 3: a parameter must not be included more than once. */
export function checkOnce(fields: URLSearchParams): void {
  const names = [...fields.keys()];
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated === undefined) return;
  refuse({
    error: "invalid_request",
    number: 9000411,
    message: `The request is not properly formatted. The parameter '${repeated}' is duplicated.`,
  });
}
