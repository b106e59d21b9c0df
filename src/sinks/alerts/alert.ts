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

export const ALERTS: readonly Alert[] = [
  {
    name: "PostroomMailboxStalled",
    expr: "postroom_mailbox_unread_seconds > 3600",
    forMinutes: 10,
    summary: "An active mailbox has not been read for an hour",
    todo: "postroom mailbox list shows which; postroom doctor says why",
  },
  {
    name: "PostroomMailboxUnreachable",
    expr: 'sum(postroom_mailboxes{status="unreachable"}) > 0',
    forMinutes: 15,
    summary: "Graph refuses a whole mailbox",
    todo: "postroom mailbox verify ADDRESS says why",
  },
  {
    name: "PostroomNotificationsSilent",
    expr: 'sum(postroom_mailboxes{delivery="poll"}) > 0',
    forMinutes: 30,
    summary: "Mail is found by reading, because notifications do not arrive",
    todo: "check that Microsoft reaches GRAPH_WEBHOOK_URL",
  },
  {
    name: "PostroomRenewalLate",
    expr: "postroom_subscription_expiry_seconds < 3600",
    forMinutes: 10,
    summary: "A subscription runs out within the hour",
    todo: "postroom sub ensure renews it now and says what Graph refuses",
  },
  {
    name: "PostroomDeadLetters",
    expr: "sum(postroom_dead_letters) > 0",
    forMinutes: 15,
    summary: "Jobs have failed for good",
    todo: "postroom dlq causes groups them",
  },
  {
    name: "PostroomJobsWait",
    expr: "max(postroom_jobs_oldest_seconds) > 900",
    forMinutes: 10,
    summary: "A job that is due has waited for a quarter of an hour",
    todo: "start more workers, or see postroom jobs workers",
  },
  {
    name: "PostroomJobsParked",
    expr: "sum(postroom_jobs_parked) > 0",
    forMinutes: 15,
    summary: "No worker knows the type of a job",
    todo: "a worker of the new version is missing",
  },
  {
    name: "PostroomReviewOld",
    expr: "postroom_review_oldest_seconds > 172800",
    forMinutes: 60,
    summary: "A question has waited for a reviewer for two days",
    todo: "postroom review list",
  },
  {
    name: "PostroomSendersDrifting",
    expr: "postroom_senders_drifting > 0",
    forMinutes: 60,
    summary: "The documents of a sender yield markedly fewer trades than before",
    todo: "postroom extract --drift names it",
  },
  {
    name: "PostroomDiskFull",
    expr: "postroom_disk_free_ratio < 0.1",
    forMinutes: 10,
    summary: "The disk of the home folder is nearly full",
    todo: "make room; at 0 Postroom answers 503 and waits",
  },
  {
    name: "PostroomIntakeSlow",
    expr: "postroom_intake_slow_share > 0.05",
    forMinutes: 10,
    summary: "Graph gets slow answers and may begin to delay notifications",
    todo: "check the database",
  },
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
  const [, aggregate, name, label, wanted, sign, limit] = EXPR.exec(expr)!;
  const values = (metrics.find((each) => each.name === name)?.values ?? [])
    .filter(({ labels }) => label === undefined || labels[label] === wanted)
    .map(({ value }) => value)
    .filter((value) => !Number.isNaN(value));
  if (values.length === 0) return false;
  if (sign === "<") return Math.min(...values) < Number(limit);
  const value =
    aggregate === "sum" ? values.reduce((sum, each) => sum + each, 0) : Math.max(...values);
  return value > Number(limit);
}
