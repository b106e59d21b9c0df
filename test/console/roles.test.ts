/** Every operation of the API's description with every role: each can call, and is offered, exactly what it may. */
import { beforeAll, describe, expect, it } from "vitest";
import { CHANGES } from "../../console/src/screens/overview/change-words.ts";
import { NEEDED as OFFERED } from "../../console/src/session/roles.ts";
import type { Access } from "../../src/api/access/access.ts";
import { ROLES, type Role } from "../../src/api/access/roles.ts";
import type { Tenant } from "../../tenant/index.ts";
import { documentSettings } from "../documents/scene.ts";
import { anApp, aTenant, type TestApp } from "../helpers/app.ts";

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly access: Access;
}

let app: TestApp;
let operations: Operation[];
const tokens = new Map<Role | "nobody" | "no role", string | null>();

beforeAll(async () => {
  const tenant = await aTenant();
  app = await anApp(tenant, documentSettings(tenant), {
    roles: ["api"],
    consoleFiles: Promise.resolve({ missing: "this test has no console" }),
    sampleSignIn: { people: [], tokenFor: () => Promise.reject(new Error("nobody signs in here")) },
  });
  const { paths } = (await app.server.inject({ url: "/api/openapi.json" })).json() as {
    paths: Record<string, Record<string, { operationId: string; "x-access": Access }>>;
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operationId: operation.operationId,
      access: operation["x-access"],
    })),
  );
  tokens.set("nobody", null);
  tokens.set("no role", tokenOf(tenant, []));
  for (const role of ROLES)
    tokens.set(role, tokenOf(tenant, [`Postroom.${role[0]!.toUpperCase()}${role.slice(1)}`]));
});

/** The same person each time, who differs only in the role. */
function tokenOf(tenant: Tenant, roles: string[]): string {
  const { appId } = tenant.apps[1]!;
  const user = tenant.users[1]!;
  Object.assign(user, { appRoles: { [appId]: roles } });
  const scope = `api://${appId}/user_impersonation`;
  return tenant.tokenFor({ user: user.id, app: tenant.apps[2]!.appId, scope });
}

/** What the guard answers: a body of an unknown kind and ids of nothing keep the call from doing anything. */
async function call({ method, path }: Operation, token: string | null): Promise<string> {
  const answer = await app.server.inject({
    method: method as "GET",
    url: path.replace(/\{[^}]+\}/g, "x"),
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(method === "GET" ? {} : { "content-type": "application/x-nothing" }),
    },
    ...(method === "GET" ? {} : { payload: "nothing" }),
    payloadAsStream: true, // some answers never end
  });
  const stream = answer.stream();
  if (answer.statusCode === 401) return stream.destroy() && "401";
  if (answer.statusCode !== 403) return stream.destroy() && "let in";
  const { detail } = JSON.parse(String(Buffer.concat(await stream.toArray()))) as {
    detail: string;
  };
  // Somebody who was let in can still be refused for what they asked about.
  return /^this needs the role/.test(detail) ? "403" : "let in";
}

/** The sign-in of the demo. */
const NOBODY_DOES = ["createSampleToken"];
/** Another program calls it with a key of its own; no person's token opens it. */
const KEYED = "ragEnqueueIndexing";

describe("roles and operations", () => {
  it("a viewer changes nothing more than anybody, and a stranger nothing but the sign-in of the demo", () => {
    const writesOf = (access: Access) =>
      operations
        .filter((each) => each.method !== "GET" && each.access === access)
        .map(({ operationId }) => operationId)
        .sort();
    expect(writesOf("viewer")).toEqual(["revealEvent"]); // writes only that somebody looked
    expect(writesOf("open")).toEqual(["createSampleToken", KEYED]);
  });

  it("each role can call exactly the operations that it may, and strangers only the open ones [S44]", async () => {
    const rank = (who: string) => (ROLES as readonly string[]).indexOf(who);
    const wrong: string[] = [];
    for (const operation of operations)
      for (const [who, token] of tokens) {
        const { access, operationId } = operation;
        const isAllowed =
          access === "open" || (access === "person" ? who !== "nobody" : rank(who) >= rank(access));
        const isKnown = who !== "nobody" && operationId !== KEYED;
        const expected = isAllowed && operationId !== KEYED ? "let in" : isKnown ? "403" : "401";
        const answer = await call(operation, token);
        if (answer !== expected) wrong.push(`${who} ${operationId}: ${answer}, not ${expected}`);
      }
    expect(wrong).toEqual([]);
  });
});

// Not a plain import: the pages name icons, whose file is JSX, which these settings of TypeScript do not read.
const { PAGES } = (await import("../../console/src/shell/pages.ts" as string)) as {
  PAGES: readonly { path: string; role: Role | null }[];
};

/** What a page asks first; without it the page would be empty. */
const ASKS: Readonly<Record<string, string>> = {
  "/": "getOverview",
  "/review": "listReviews",
  "/events": "listEvents",
  "/trades": "listTrades",
  "/orders": "listOrders",
  "/documents": "listDocuments",
  "/mailboxes": "listMailboxes",
  "/my-mailbox": "connectOwnMailbox",
  "/jobs": "listJobs",
  "/dead-letters": "listDeadCauses",
  "/evidence": "getEvidence",
  "/senders": "listSenders",
  "/settings": "diagnose",
};

describe("the console", () => {
  const accessOf = (id: string) => operations.find(({ operationId }) => operationId === id)?.access;

  it("offers an action to exactly those roles whose calls the server lets in", () => {
    const allowed = Object.keys(OFFERED).map((id) => [id, accessOf(id)]);
    expect(OFFERED).toEqual(Object.fromEntries(allowed));
  });

  it("has words for everything that a person can change", () => {
    const routes = operations
      .filter(({ method }) => method !== "GET")
      .filter(({ operationId }) => !NOBODY_DOES.includes(operationId))
      .map(
        ({ method, path }) => `${method} ${path.replace("{*}", "*").replace(/\{(\w+)\}/g, ":$1")}`,
      );
    // The server of this test has no local tenant to steer.
    const known = Object.keys(CHANGES).filter((route) => !route.includes("/api/tenant"));
    expect(known.sort()).toEqual(routes.sort());
  });

  it("shows a page to exactly those who may ask for what is on it", () => {
    const shown = PAGES.filter(({ path }) => path in ASKS);
    expect(shown.map(({ path, role }) => [path, role ?? "person"])).toEqual(
      shown.map(({ path }) => [path, accessOf(ASKS[path]!)]),
    );
    expect(shown.map(({ path }) => path)).toEqual(Object.keys(ASKS));
  });
});
