/**
 * The conditions that people are told about, read from the metrics. They are those of `deploy/prometheus/rules.yaml`,
 * for installations without a Prometheus; a test compares them.
 */
export interface Alert {
  readonly name: string;
  /** `sum(metric{label="value"}) > number`; without `sum` or `max`, one series is enough. */
  readonly expr: string;
  /** How long it must hold. */
  readonly forMinutes: number;
  readonly summary: string;
  readonly todo: string;
}

const alert = (
  name: string,
  expr: string,
  forMinutes: number,
  summary: string,
  todo: string,
): Alert => ({ name: `Postroom${name}`, expr, forMinutes, summary, todo });

export const ALERTS: readonly Alert[] = [
  alert(
    ...(["MailboxStalled", "postroom_mailbox_unread_seconds > 3600", 10] as const),
    "An active mailbox has not been read for an hour",
    "postroom mailbox list shows which; postroom doctor says why",
  ),
  alert(
    ...(["MailboxUnreachable", 'sum(postroom_mailboxes{status="unreachable"}) > 0', 15] as const),
    "Graph refuses a whole mailbox",
    "postroom mailbox verify ADDRESS says why",
  ),
  alert(
    ...(["NotificationsSilent", 'sum(postroom_mailboxes{delivery="poll"}) > 0', 30] as const),
    "Mail is found by reading, because notifications do not arrive",
    "check that Microsoft reaches GRAPH_WEBHOOK_URL",
  ),
  alert(
    ...(["RenewalLate", "postroom_subscription_expiry_seconds < 3600", 10] as const),
    "A subscription runs out within the hour",
    "postroom sub ensure renews it now and says what Graph refuses",
  ),
  alert(
    ...(["DeadLetters", "sum(postroom_dead_letters) > 0", 15] as const),
    "Jobs have failed for good",
    "postroom dlq causes groups them",
  ),
  alert(
    ...(["JobsWait", "max(postroom_jobs_oldest_seconds) > 900", 10] as const),
    "A job that is due has waited for a quarter of an hour",
    "start more workers, or see postroom jobs workers",
  ),
  alert(
    ...(["JobsParked", "sum(postroom_jobs_parked) > 0", 15] as const),
    "No worker knows the type of a job",
    "a worker of the new version is missing",
  ),
  alert(
    ...(["ReviewOld", "postroom_review_oldest_seconds > 172800", 60] as const),
    "A question has waited for a reviewer for two days",
    "postroom review list",
  ),
  alert(
    ...(["SendersDrifting", "postroom_senders_drifting > 0", 60] as const),
    "The documents of a sender yield markedly fewer trades than before",
    "postroom extract --drift names it",
  ),
  alert(
    ...(["DiskFull", "postroom_disk_free_ratio < 0.1", 10] as const),
    "The disk of the home folder is nearly full",
    "make room; at 0 Postroom answers 503 and waits",
  ),
  alert(
    ...(["IntakeSlow", "postroom_intake_slow_share > 0.05", 10] as const),
    "Graph gets slow answers and may begin to delay notifications",
    "check the database",
  ),
];

export interface Series {
  readonly name: string;
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Record<string, string | number | undefined>>;
  }[];
}

const EXPR = /^(?:(sum|max)\()?(\w+)(?:\{(\w+)="(\w+)"\})?\)? ([<>]) ([\d.]+)$/;

/** A metric that this process does not report says nothing. */
export function holds({ expr }: Alert, metrics: readonly Series[]): boolean {
  const [, join, name, label, wanted, sign, limit] = EXPR.exec(expr)!;
  const values = (metrics.find((each) => each.name === name)?.values ?? [])
    .filter(({ labels }) => label === undefined || labels[label] === wanted)
    .map(({ value }) => value)
    .filter((value) => !Number.isNaN(value));
  if (values.length === 0) return false;
  if (sign === "<") return Math.min(...values) < Number(limit);
  const value = join === "sum" ? values.reduce((a, b) => a + b, 0) : Math.max(...values);
  return value > Number(limit);
}
