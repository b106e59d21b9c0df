/**
 * Every failure that comes from outside, with its remedy. `jobs/` reads the remedy, `api/` maps codes to
 * HTTP, docs/errors.md lists them; no code matches on messages.
 */
export type Remedy =
  /** The same call may succeed later. */
  | "retry"
  /** Wait as long as requested; the attempt does not count. */
  | "wait"
  /** A person must change something: a permission, a setting, a document. */
  | "ask-a-person"
  /** No retry can help. */
  | "give-up";

const REMEDIES = {
  "graph.throttled": "wait",
  "graph.unavailable": "retry",
  "graph.bad-answer": "retry",
  "graph.unauthorized": "ask-a-person",
  "graph.denied": "ask-a-person",
  "graph.not-found": "give-up",
  "graph.sync-state-gone": "give-up",
  "graph.rejected": "give-up",
  "dataverse.throttled": "wait",
  "dataverse.unavailable": "retry",
  "dataverse.denied": "ask-a-person",
  "dataverse.not-found": "give-up",
  "dataverse.conflict": "give-up",
  "dataverse.rejected": "give-up",
  "drive.conflict": "give-up",
  "identity.unavailable": "retry",
  "identity.refused": "ask-a-person",
  "identity.interaction": "ask-a-person",
  "http.host-not-allowed": "give-up",
  "store.unavailable": "wait",
  "store.full": "wait",
  "store.slow": "retry",
  "blob.unavailable": "retry",
  "blob.conflict": "give-up",
  "spool.missing": "retry",
  "pdf.encrypted": "ask-a-person",
  "pdf.damaged": "give-up",
  "pdf.poison": "give-up",
  "mail.no-message-id": "give-up",
  "mail.id-too-long": "give-up",
  "mail.too-large": "ask-a-person",
  "job.busy": "wait",
  "job.lease-lost": "retry",
  "job.unknown-type": "wait",
  "job.malformed": "give-up",
  "job.key-reused": "give-up",
  "job.cancelled": "wait",
  "model.unavailable": "retry",
  "model.bad-answer": "give-up",
  "model.refused": "give-up",
  "model.over-budget": "ask-a-person",
  "rights.unknown": "wait",
  "sink.unavailable": "retry",
  "search.unavailable": "retry",
  "search.denied": "ask-a-person",
  "settings.bad": "ask-a-person",
  "request.bad": "give-up",
  unexpected: "retry",
} as const satisfies Record<string, Remedy>;

export type FaultCode = keyof typeof REMEDIES;

export interface FaultDetails {
  readonly cause?: unknown;
  /** How long the other side asked us to wait. */
  readonly retryAfterMs?: number;
  /** Facts for the log and the console; never secrets or content of a message. */
  readonly facts?: Readonly<Record<string, string | number | boolean | null | undefined>>;
}

export class Fault extends Error {
  readonly code: FaultCode;
  readonly retryAfterMs: number | undefined;
  readonly facts: NonNullable<FaultDetails["facts"]>;

  constructor(code: FaultCode, message: string, details: FaultDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "Fault";
    this.code = code;
    this.retryAfterMs = details.retryAfterMs;
    this.facts = details.facts ?? {};
  }

  get remedy(): Remedy {
    return REMEDIES[this.code];
  }
}

/** Turns anything that was thrown into a Fault, for the one catch at a boundary. */
export function toFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new Fault("unexpected", message, { cause: thrown });
}

export function remedyOf(code: FaultCode): Remedy {
  return REMEDIES[code];
}

export const faultCodes = Object.keys(REMEDIES) as FaultCode[];
