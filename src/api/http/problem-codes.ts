/** What a caller can do about each refusal of the API. Codes are stable; docs/errors.md lists them. */
import type { Remedy } from "../../lib/fault.ts";

export const PROBLEM_CODES = {
  "request.bad": "Correct what `errors` or `detail` names and send the request again.",
  "request.not-signed-in": "Send `Authorization: Bearer` with a valid token.",
  "request.not-allowed": "Ask an administrator for the role that `detail` names.",
  "request.not-found": "Check the ID; list what there is and choose from it.",
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
    "Check whether it was done. If not, send the request again with a new key.",
  invalid_id: "Send the GUID of a document.",
  document_not_found: "Check the ID, and that you may see the document in Dataverse.",
  file_not_found: "Restore the file in its drive, or remove the record.",
  mapping_missing_drive: "Set the drive of the record, or upload the file again.",
  mapping_missing_item: "Set the item of the record, or upload the file again.",
  file_too_large: "Open the document in Office or in its drive instead.",
  preview_not_available: "Open the document in Office instead.",
  OFFICE_001: "Send `Email`, `Attachment` or `Document` as `contentType`.",
  OFFICE_002: "Choose a type that `detail` names.",
  OFFICE_003: "Choose what to save to.",
  OFFICE_004: "Save a file of at most 25 MB; put larger ones on the drive with an upload session.",
  OFFICE_005: "Save fewer attachments at once: at most 100 MB together.",
  OFFICE_006: "Leave the file out: programs and scripts are not saved.",
  OFFICE_007: "Choose another row or document, or ask for the right to see it.",
  OFFICE_008: "Check the ID: only the person who saved may follow a save.",
  OFFICE_009: "Ask for the right to save there, in Dataverse or in the container.",
  OFFICE_010: "Ask for the right to create such rows in Dataverse.",
  OFFICE_011: "Open the document that exists.",
  OFFICE_012: "Save again later; nothing was kept.",
  OFFICE_013: "Wait as long as `Retry-After` says, then save again.",
  OFFICE_014: "Try again later; nothing was kept.",
  OFFICE_015: "Start a worker, then save again.",
  OFFICE_VALIDATION: "Correct what `detail` names.",
  OFFICE_IDEMPOTENCY_CONFLICT: "Wait for the first request, then look at its job.",
  OFFICE_THROTTLED: "Wait as long as `Retry-After` says.",
  OFFICE_INTERNAL: "Send the request again later. If it fails again, report the `correlationId`.",
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
