/** The refusals that the Office add-in knows. Codes, statuses and kinds are fixed: programs depend on them. */
export const OFFICE_CODES = {
  OFFICE_001: { status: 400, kind: "invalid-source-type", title: "Invalid Source Type" },
  OFFICE_002: { status: 400, kind: "invalid-association-type", title: "Invalid Association Type" },
  OFFICE_003: { status: 400, kind: "association-required", title: "Association Required" },
  OFFICE_004: { status: 400, kind: "attachment-too-large", title: "File Too Large" },
  OFFICE_005: { status: 400, kind: "total-size-exceeded", title: "Total Size Exceeded" },
  OFFICE_006: { status: 400, kind: "blocked-file-type", title: "Blocked File Type" },
  OFFICE_007: { status: 404, kind: "association-target-not-found", title: "Target Not Found" },
  OFFICE_008: { status: 404, kind: "job-not-found", title: "Job Not Found" },
  OFFICE_009: { status: 403, kind: "access-denied", title: "Access Denied" },
  OFFICE_010: { status: 403, kind: "cannot-create-entity", title: "Cannot Create Entity" },
  OFFICE_011: { status: 409, kind: "document-already-exists", title: "Document Already Exists" },
  OFFICE_012: { status: 502, kind: "spe-upload-failed", title: "SharePoint Upload Failed" },
  OFFICE_013: { status: 502, kind: "graph-api-error", title: "Graph Error" },
  OFFICE_014: { status: 502, kind: "dataverse-error", title: "Dataverse Error" },
  OFFICE_015: { status: 503, kind: "processing-unavailable", title: "Processing Unavailable" },
  OFFICE_VALIDATION: { status: 400, kind: "validation-error", title: "Validation Error" },
  OFFICE_IDEMPOTENCY_CONFLICT: { status: 409, kind: "idempotency-conflict", title: "Conflict" },
  OFFICE_THROTTLED: { status: 429, kind: "too-many-requests", title: "Too Many Requests" },
  OFFICE_INTERNAL: { status: 500, kind: "internal-error", title: "Internal Error" },
} as const;

export type OfficeCode = keyof typeof OFFICE_CODES;

/** A refusal; thrown because it ends the request. */
export class OfficeRefusal extends Error {
  readonly code: OfficeCode;
  /** Seconds after which the request may be sent again. */
  readonly retryAfter: number | undefined;

  constructor(code: OfficeCode, detail: string, options: { retryAfter?: number } = {}) {
    super(detail);
    this.name = "OfficeRefusal";
    this.code = code;
    this.retryAfter = options.retryAfter;
  }
}
