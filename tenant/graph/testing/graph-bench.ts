/** Only the Graph part, on a virtual clock, with callers and endpoints inside the test. */
import { createVirtualClock } from "../../clock.ts";
import type {
  Caller,
  OutgoingAnswer,
  OutgoingRequest,
  Switches,
  TenantContext,
  User,
} from "../../context.ts";
import { createFaults } from "../../faults.ts";
import type { TenantRequest, TenantResponse } from "../../http.ts";
import { createJournal } from "../../journal.ts";
import { createRandom } from "../../random.ts";
import { createGraphPart } from "../graph-part.ts";

export const ALEX = "11111111-1111-4111-8111-111111111111";
export const BLAIR = "22222222-2222-4222-8222-222222222222";
export const NOBODY = "33333333-3333-4333-8333-333333333333";
export const APP = "aaaaaaaa-0000-4000-8000-000000000001";
const START_MS = Date.UTC(2026, 0, 5, 9, 0, 0);

interface Received {
  readonly url: string;
  readonly body: string;
  readonly headers: Record<string, string>;
  readonly timeoutMs: number;
  readonly atMs: number;
}

/** Parsed JSON of any shape. */
export type Loose = ReturnType<typeof JSON.parse>;

type Endpoint = (
  request: OutgoingRequest,
) => Partial<OutgoingAnswer> | Promise<Partial<OutgoingAnswer>>;

export function createGraphBench(options: { switches?: Partial<Switches>; seed?: string } = {}) {
  const clock = createVirtualClock(START_MS);
  const random = createRandom(options.seed ?? "bench");
  const journal = createJournal(clock.now);
  const faults = createFaults(random.fork("faults"), (fault, facts) =>
    journal.record("fault.injected", { fault: fault.id, fault_kind: fault.kind, ...facts }),
  );
  const received: Received[] = [];
  const endpoints = new Map<string, Endpoint>();
  const callers = new Map<string, Caller>();
  const context: TenantContext = {
    tenantId: "99999999-0000-4000-8000-000000000000",
    clock,
    random,
    journal,
    faults,
    switches: { ...SWITCHES, ...options.switches } as Switches,
    users: [
      aUser(ALEX, "alex@contoso.example", true),
      aUser(BLAIR, "blair@contoso.example", true),
      aUser(NOBODY, "nobody@contoso.example", false),
    ],
    apps: [],
    origin: () => "http://127.0.0.1:4010",
    authenticate: async (authorization) => callers.get(authorization ?? "") ?? null,
    mintValidationToken: (appId) => `token-for-${appId}`,
    async send(request) {
      received.push({ ...request, atMs: clock.now() });
      const url = new URL(request.url);
      const endpoint = endpoints.get(`${url.origin}${url.pathname}`) ?? echo;
      const answer = await endpoint(request);
      return { status: 202, headers: {}, body: "", tookMs: 5, ...answer };
    },
  };
  const part = createGraphPart(context);

  const as = (name: string, permissions: string[], user?: string) => {
    const isAppOnly = user === undefined;
    callers.set(`Bearer ${name}`, {
      tenantId: context.tenantId,
      appId: APP,
      objectId: user ?? "service-principal",
      isAppOnly,
      audience: "https://graph.microsoft.com",
      scopes: new Set(isAppOnly ? [] : permissions),
      roles: new Set(isAppOnly ? permissions : []),
    });
    return name;
  };
  as("app", ["Mail.ReadWrite", "Mail.Send", "User.Read.All"]);

  const call = async (
    method: string,
    path: string,
    more: { body?: unknown; headers?: Record<string, string>; as?: string } = {},
  ): Promise<TenantResponse & { json: Loose }> => {
    const response = await part.handle(toRequest(method, path, more));
    if (response === null) throw new Error(`not Graph's: ${path}`);
    return { ...response, json: response.body };
  };

  return {
    context,
    clock,
    journal,
    faults,
    part,
    admin: part.admin,
    received,
    as,
    call,
    get: (path: string, headers?: Record<string, string>) => call("GET", path, { headers }),
    post: (path: string, body?: unknown, headers?: Record<string, string>) =>
      call("POST", path, { body, headers }),
    /** Sets what answers at a URL from now on; without it, handshakes are echoed and items accepted. */
    endpoint: (url: string, answer: Endpoint) => void endpoints.set(url, answer),
    /** The items that reached the endpoints, in order. */
    items: () =>
      received
        .filter((each) => each.body !== "")
        .flatMap((each) => JSON.parse(each.body).value as Loose[]),
    /** Lets pending calls reach the point where they wait for the clock. */
    settle: () => new Promise<void>((resolve) => setImmediate(resolve)),
    kinds: () => journal.entries().map((entry) => entry.kind),
    subscribe: async (body: Record<string, unknown> = {}, headers?: Record<string, string>) => {
      const response = await call("POST", "/v1.0/subscriptions", {
        body: {
          changeType: "created,updated,deleted",
          notificationUrl: "https://app.example/hook",
          resource: `users/${ALEX}/messages`,
          expirationDateTime: new Date(clock.now() + 24 * 3_600_000).toISOString(),
          clientState: "secret",
          ...body,
        },
        headers,
      });
      return response;
    },
  };
}

export function toRequest(
  method: string,
  path: string,
  more: { body?: unknown; headers?: Record<string, string>; as?: string } = {},
): TenantRequest {
  const url = new URL(path, "http://127.0.0.1:4010");
  const { body } = more;
  const headers: Record<string, string> = { authorization: `Bearer ${more.as ?? "app"}` };
  for (const [name, value] of Object.entries(more.headers ?? {}))
    headers[name.toLowerCase()] = value;
  return {
    method,
    url,
    path: url.pathname,
    query: url.searchParams,
    headers,
    params: {},
    body: Buffer.isBuffer(body)
      ? body
      : Buffer.from(
          body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body),
        ),
  };
}

function echo(request: OutgoingRequest): Partial<OutgoingAnswer> {
  const token = new URL(request.url).searchParams.get("validationToken");
  return token === null
    ? { status: 202 }
    : { status: 200, headers: { "content-type": "text/plain" }, body: token };
}

function aUser(id: string, mail: string, hasMailbox: boolean): User {
  const displayName = mail.split("@")[0]!.replace(/^./, (letter) => letter.toUpperCase());
  return { id, userPrincipalName: mail, displayName, mail, password: "secret", hasMailbox };
}

const SWITCHES = {
  duplicateSubscription: "conflict",
  handshakeOnRenew: false,
  notificationsPerPost: 20,
  moveNotification: "updated",
  messageDeltaPageSize: 10,
  deltaGenerations: 3,
  tokenLifetimeSeconds: 3600,
  deliveryDelayMs: 1000,
  throttling: false,
  uploadSessionLifetimeMs: 3_600_000,
};
