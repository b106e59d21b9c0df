/** What the Graph suites need of a tenant, local or real, and how they talk to it. */
export interface GraphTarget {
  /** `https://graph.microsoft.com`, or the address of a local tenant. */
  readonly graph: string;
  token(): Promise<string>;
  /** The object id of a user whose mailbox may be filled with test mail. */
  readonly mailbox: string;
  /** An address that Graph can reach and whose requests the test sees. */
  readonly receiver?: Receiver;
  /** Lets time pass: a virtual clock jumps, a real tenant has to be waited for. */
  pass(ms: number): Promise<void>;
  /** The tenant's time. */
  now(): number;
  /** What only a local tenant can be made to do. */
  arm?(fault: { kind: string; remaining?: number; options?: Record<string, unknown> }): void;
  /** A message that arrives from outside, with attachments as files or attached messages. */
  deliver?(mail: IncomingMail): Promise<{ id: string; immutableId: string }>;
  /** Fills a folder with a great many messages. */
  fill?(folder: string, count: number): void;
  /** The kinds of what the tenant wrote down, in order. */
  journal?(): string[];
}

export interface IncomingMail {
  readonly subject: string;
  readonly body?: string;
  readonly attachments?: readonly {
    readonly name: string;
    readonly bytes?: Buffer;
    readonly isInline?: boolean;
    readonly contentId?: string;
    readonly item?: IncomingMail;
    readonly sourceUrl?: string;
  }[];
}

export interface Receiver {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** How it answers from now on; null is as it should. */
  behave(behaviour: Behaviour | null): void;
}

export interface ReceivedRequest {
  /** With the query, as it was sent. */
  readonly url: string;
  readonly body: string;
  readonly contentType: string;
  readonly atMs: number;
}

export type Behaviour = (request: ReceivedRequest) => {
  status?: number;
  contentType?: string;
  body?: string;
  tookMs?: number;
};

/** Parsed JSON of any shape. */
export type Loose = ReturnType<typeof JSON.parse>;

export interface GraphAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Loose;
  readonly bytes: Buffer;
}

export interface GraphRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** One call; a path is taken below `/v1.0`, a link as it is. */
export async function ask(
  target: GraphTarget,
  pathOrLink: string,
  { method = "GET", headers = {}, body }: GraphRequest = {},
): Promise<GraphAnswer> {
  const url = pathOrLink.startsWith("http") ? pathOrLink : `${target.graph}/v1.0${pathOrLink}`;
  const answer = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${await target.token()}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isJson = answer.headers.get("content-type")?.includes("json") === true;
  const json = isJson && bytes.length > 0 ? JSON.parse(bytes.toString("utf8")) : null;
  return { status: answer.status, headers: answer.headers, json, bytes };
}

/** The token of a handshake, or null for a delivery. */
export function validationTokenOf(request: ReceivedRequest): string | null {
  return new URL(request.url).searchParams.get("validationToken");
}

/** The items that were delivered, in order. */
export function itemsOf(receiver: Receiver): Loose[] {
  return receiver.requests
    .filter((each) => validationTokenOf(each) === null)
    .flatMap((each) => JSON.parse(each.body).value);
}

/** Lets time pass until something holds; the limit is the tenant's time. */
export async function until(
  target: GraphTarget,
  holds: () => boolean | Promise<boolean>,
  limitMs = 180_000,
): Promise<void> {
  const endMs = target.now() + limitMs;
  while (!(await holds())) {
    if (target.now() >= endMs) throw new Error(`nothing of the kind within ${limitMs} ms`);
    await target.pass(1000);
  }
}

export const IMMUTABLE = { Prefer: 'IdType="ImmutableId"' };

/** A subscription body with the usual defaults. */
function subscriptionTo(target: GraphTarget, more: Record<string, unknown> = {}): object {
  return {
    changeType: "created,updated,deleted",
    notificationUrl: target.receiver!.url,
    resource: `users/${target.mailbox}/messages`,
    expirationDateTime: new Date(target.now() + 3 * 86_400_000).toISOString(),
    clientState: "conformance",
    ...more,
  };
}

export async function subscribe(
  target: GraphTarget,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<GraphAnswer> {
  const body = subscriptionTo(target, more);
  return ask(target, "/subscriptions", { method: "POST", body, headers });
}

/** Leaves no subscription behind, so that cases do not hear of one another. */
export async function unsubscribeAll(target: GraphTarget): Promise<void> {
  const { json } = await ask(target, "/subscriptions");
  for (const { id } of json.value) await ask(target, `/subscriptions/${id}`, { method: "DELETE" });
}

/** A message in the inbox, made through Graph itself, so that it works with any tenant. */
export async function makeMessage(target: GraphTarget, subject: string): Promise<Loose> {
  const path = `/users/${target.mailbox}/mailFolders/inbox/messages`;
  const made = await ask(target, path, { method: "POST", body: { subject }, headers: IMMUTABLE });
  return made.json;
}
