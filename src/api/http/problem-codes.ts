/** What a caller can do about each refusal of the API. Codes are stable; docs/errors.md lists them. */
import type { Remedy } from "../../lib/fault.ts";

export const PROBLEM_CODES = {
  "request.bad": "Correct what `errors` or `detail` names and send the request again.",
  "request.not-signed-in": "Send `Authorization: Bearer` with a valid token.",
  "request.not-allowed": "Ask an administrator for the role that `detail` names.",
  "request.not-found": "Check the id; list what there is and choose from it.",
  "request.no-route": "Check the method and the path against /api/openapi.json.",
  "request.conflict": "Read the current state; it no longer permits this.",
  "request.expired": "Begin again.",
  "request.no-length": "Send `Content-Length`.",
  "request.too-large": "Send less at once, or use an upload session.",
  "request.wrong-type": "Send the content type that the description of the operation names.",
  "request.refused": "Correct the cause that `detail` names and send the request again.",
  "request.too-many": "Wait a moment and send the request again.",
  "idempotency.key-reused": "Use a new key for a new request.",
  "idempotency.in-progress":
    "Wait for the first request, then send this one again with the same key.",
  "idempotency.outcome-unknown":
    "Look whether it was done. If not, send the request again with a new key.",
  invalid_id: "Send the GUID of a document.",
  document_not_found: "Check the id, and that you may see the document in Dataverse.",
  file_not_found: "Restore the file in its drive, or remove the record.",
  mapping_missing_drive: "Set the drive of the record, or upload the file again.",
  mapping_missing_item: "Set the item of the record, or upload the file again.",
  file_too_large: "Open the document in Office or in its drive instead.",
  preview_not_available: "Open the document in Office instead.",
  unexpected: "Send the request again later. If it fails again, report the `correlationId`.",
} as const satisfies Record<string, string>;

const CODE_OF_STATUS: Readonly<Record<number, keyof typeof PROBLEM_CODES>> = {
  400: "request.bad",
  401: "request.not-signed-in",
  403: "request.not-allowed",
  404: "request.not-found",
  409: "request.conflict",
  410: "request.expired",
  411: "request.no-length",
  413: "request.too-large",
  415: "request.wrong-type",
  422: "request.refused",
  429: "request.too-many",
};

/** The code of a refusal that has no code of its own. */
export function codeOf(status: number): keyof typeof PROBLEM_CODES {
  return CODE_OF_STATUS[status] ?? (status >= 500 ? "unexpected" : "request.bad");
}

/** For what failed outside Postroom. */
const ADVICE_ON_FAULT: Readonly<Record<Remedy, string>> = {
  retry: "Send the request again later.",
  wait: "Send the request again later.",
  "ask-a-person":
    "Look the code up in docs/errors.md: somebody must change a permission or a setting first.",
  "give-up": "Look the code up in docs/errors.md: sending the same request again cannot help.",
};

export function whatToDo(code: string, remedy: Remedy | null): string {
  if (Object.hasOwn(PROBLEM_CODES, code)) return PROBLEM_CODES[code as keyof typeof PROBLEM_CODES];
  return ADVICE_ON_FAULT[remedy ?? "give-up"];
}
