/** Every kind of fault, with the facts that `where` may compare and the options that it reads. */
interface FaultKind {
  readonly facts: readonly string[];
  readonly options: readonly string[];
}

const REQUEST = ["part", "method", "path", "mailbox"];
const NOTIFICATION = ["subscriptionId", "changeType", "mailbox"];
const DELTA = ["mailbox", "folder"];
const QUEUE = ["part", "operation", "queue"];
const kind = (facts: readonly string[], ...options: string[]): FaultKind => ({ facts, options });

export const FAULTS: Readonly<Record<string, FaultKind>> = {
  throttle: kind(REQUEST, "retryAfterSeconds"),
  "server-error": kind(REQUEST, "status"),
  unauthorized: kind(REQUEST),
  "claims-challenge": kind(REQUEST, "claims"),
  html: kind(REQUEST, "status"),
  timeout: kind(REQUEST),
  reset: kind(REQUEST),
  "lost-answer": kind(REQUEST),
  slow: kind(REQUEST, "delayMs"),
  "cut-body": kind(REQUEST, "afterBytes"),
  "bad-json": kind(REQUEST),
  "not-found-once": kind(["mailbox", "method", "path"]),
  hold: kind(["mailbox", "method", "path"], "delayMs"),
  "empty-page": kind([...DELTA, "path"]),
  "duplicate-delta": kind(DELTA),
  "replay-delta": kind(DELTA, "changes"),
  "expire-delta": kind([...DELTA, "part", "drive"], "code"),
  "reset-delta": kind(DELTA),
  "drop-notification": kind(NOTIFICATION),
  "duplicate-notification": kind(NOTIFICATION, "times", "delayMs"),
  "late-notification": kind(NOTIFICATION, "delayMs"),
  "reorder-notifications": kind(NOTIFICATION, "delayMs"),
  "drop-lifecycle": kind(["subscriptionId", "lifecycleEvent"]),
  "notification-before-201": kind(["subscriptionId", "resource"]),
  "interaction-required": kind(["user", "resource", "grant"], "number", "claims"),
  "service-protection": kind(["part", "user"], "limit", "retryAfterSeconds"),
  "drop-connection": kind(QUEUE),
  "server-busy": kind(QUEUE),
  "lost-ack": kind(QUEUE),
};

const PARTS = ["graph", "entra", "dataverse", "servicebus", "drives"];

/** Null leaves its header out. */
const NO_HEADER = "retryAfterSeconds";
const NUMBERS = ["status", "delayMs", "afterBytes", "changes", "times", "number", NO_HEADER];
const isAmount = (value: unknown): boolean => typeof value === "number" && value >= 0;

/** Names what is misspelt and what would be right; null if nothing is. */
export function misspeltIn(fault: {
  readonly kind: string;
  readonly where: object;
  readonly options: object;
}): string | null {
  const known = Object.hasOwn(FAULTS, fault.kind) ? FAULTS[fault.kind]! : null;
  if (known === null) return refuse("kind of fault", fault.kind, Object.keys(FAULTS));
  const of = ` of ${fault.kind}`;
  for (const name of Object.keys(fault.where))
    if (!known.facts.includes(name)) return refuse(`fact${of}`, name, known.facts);
  for (const name of Object.keys(fault.options))
    if (!known.options.includes(name)) return refuse(`option${of}`, name, known.options);
  for (const [name, value] of Object.entries(fault.options))
    if (NUMBERS.includes(name) && !isAmount(value) && !(name === NO_HEADER && value === null))
      return `'${name}' must be a number of at least 0, not ${String(value)}.`;
  const { part } = fault.where as { part?: unknown };
  return part === undefined || PARTS.includes(String(part))
    ? null
    : refuse("part", String(part), PARTS);
}

function refuse(what: string, given: string, known: readonly string[]): string {
  const list = known.length === 0 ? "it takes none" : `known are ${known.join(", ")}`;
  return `'${given}' is no ${what}; ${list}.`;
}
