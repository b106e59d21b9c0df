import { once } from "node:events";
import { connect } from "node:net";
import { userInfo } from "node:os";
import Fastify from "fastify";
import { beforeAll, describe, expect, it } from "vitest";
import type { Tenant } from "../../../tenant/index.ts";
import { anApp, aTenant, type TestApp, until } from "../../../test/helpers/app.ts";
import { commandsFor } from "../../../test/helpers/cli.ts";
import { freshDatabase } from "../../../test/helpers/database.ts";
import { guard } from "../../../test/helpers/guard.ts";
import { systemRandom } from "../../lib/random.ts";
import type { Queryable } from "../../store/database.ts";
import { chooseByReach } from "../../store/reach.ts";
import { addAction, findActions, findNames } from "./action-table.ts";
import { hasRole, ROLES, type Role, roleOf } from "./roles.ts";

let tenant: Tenant;
let app: TestApp;
let apiId: string;

beforeAll(async () => {
  tenant = await aTenant();
  const api = tenant.apps[1]!;
  apiId = api.appId;
  app = await anApp(
    tenant,
    { API_APP_ID: api.appId, API_CLIENT_SECRET: api.secrets[0]!, TENANT_ID: tenant.tenantId },
    { roles: ["api"] },
  );
});

/** Calls as a person who differs from the others only in the role. */
async function ask(role: Role | null, method: "GET" | "POST", url: string, payload?: object) {
  const user = tenant.users[1]!;
  const roles = role === null ? [] : [`Postroom.${role[0]!.toUpperCase()}${role.slice(1)}`];
  Object.assign(user, { appRoles: { [apiId]: roles } });
  const authorization = `Bearer ${tenant.tokenFor({
    user: user.id,
    app: tenant.apps[2]!.appId,
    scope: `api://${apiId}/user_impersonation`,
  })}`;
  return app.server.inject({
    method,
    url,
    headers: { authorization },
    ...(payload ? { payload } : {}),
  });
}

describe("a role", () => {
  it("includes every role below it and no other", () => {
    for (const [at, role] of ROLES.entries())
      for (const [needed, name] of ROLES.entries())
        expect(hasRole({ role }, name)).toBe(at >= needed);
    expect(hasRole({ role: null }, "viewer")).toBe(false);
  });

  it("is the highest of the token's own roles; roles of other applications are ignored", () => {
    expect(roleOf(["Postroom.Viewer", "Postroom.Operator"])).toBe("operator");
    expect(roleOf(["Operator", "postroom.operator", "Other.Admin"])).toBeNull();
    expect(roleOf("Postroom.Admin")).toBeNull();
    expect(roleOf(undefined)).toBeNull();
  });

  it.each([
    ["GET", "/api/trades", "viewer"],
    ["GET", "/api/reviews", "reviewer"],
    ["GET", "/api/dlq", "operator"],
    ["GET", "/api/subscriptions", "operator"],
  ] as const)("%s %s needs %s", async (method, url, needed) => {
    const below = ROLES[ROLES.indexOf(needed) - 1] ?? null;
    expect((await ask(below, method, url)).statusCode).toBe(403);
    expect((await ask(needed, method, url)).statusCode).toBe(200);
  });

  it("a viewer who starts a replay is refused, and the attempt is in the log of actions [S44]", async () => {
    const body = { all: true, why: "because" };
    expect((await ask("viewer", "POST", "/api/dlq/replay", body)).statusCode).toBe(403);
    expect((await ask("operator", "POST", "/api/dlq/replay", body)).statusCode).toBe(202);
    // The status is written once the response is on its way.
    const actions = await until("both actions in the log", async () => {
      const found = await findActions(app.database, { limit: 10 });
      return found.length === 2 && found.every(({ status }) => status !== null) ? found : null;
    });
    expect(actions.map(({ operation, who, status }) => ({ operation, who, status }))).toEqual([
      { operation: "POST /api/dlq/replay", who: tenant.users[1]!.id, status: 202 },
      { operation: "POST /api/dlq/replay", who: tenant.users[1]!.id, status: 403 },
    ]);
  });
});

describe("the log of actions", () => {
  it("names the person who set a hold, signed in or at the server's own terminal", async () => {
    const hold = { kind: "person", subject: "a@x.example", reason: "case 1" };
    expect((await ask("admin", "POST", "/api/holds", hold)).statusCode).toBe(201);
    const postroom = commandsFor(app);
    await postroom("hold set b@x.example --why two");
    const { out } = await postroom("hold list");
    const setBy = (subject: string) => out.split("\n").find((line) => line.includes(subject));
    expect(setBy("a@x.example")).toContain(tenant.users[1]!.displayName);
    expect(setBy("b@x.example")).toContain(`${userInfo().username} (operator key)`);
  });

  it("gives the operator key, which many people may use, nobody's name", async () => {
    await addAction(app.database, {
      id: systemRandom.uuid(),
      who: "operator",
      whoName: "vera (operator key)",
      operation: "POST /api/x",
      path: "/api/x",
      correlationId: "x",
    });
    expect(await findNames(app.database, ["operator"])).toEqual(new Map());
  });
});

describe("the guard", () => {
  it("does not let the server start with a route that says nothing about access", () => {
    const server = Fastify();
    guard(server, app.database, async () => ({ id: "x", role: null }));
    expect(() => server.get("/api/forgotten", async () => "secret")).toThrow(
      "does not say who may call it",
    );
  });

  it("keeps what concerns all of several tenants for the operator key", async () => {
    const answerTo = async (hasSeveralTenants: boolean, token: string | undefined) => {
      const server = Fastify();
      const caller = { id: "x", role: "admin" as const, ...(token === undefined ? {} : { token }) };
      guard(server, app.database, async () => caller, { hasSeveralTenants });
      const config = { access: "operator", isForAllTenants: true } as const;
      server.get("/api/everything", { config }, async () => "secret");
      server.get("/api/own", { config: { access: "operator" } }, async () => "own");
      expect((await server.inject("/api/own")).body).toBe("own");
      return (await server.inject("/api/everything")).body;
    };
    expect(await answerTo(true, "a token of one tenant")).toContain("Forbidden");
    expect(await answerTo(true, undefined)).toBe("secret");
    expect(await answerTo(false, "a token of the only tenant")).toBe("secret");
  });

  it("lets queries reach one tenant only for a token where there are several, and all for anybody else", async () => {
    const limited = await freshDatabase();
    const database = chooseByReach(app.database, limited);
    const nameOf = async (on: Queryable) =>
      (await on.query("SELECT current_database() AS name")).rows[0]!["name"];
    const reached = async (hasSeveralTenants: boolean, token: string | undefined) => {
      const server = Fastify();
      const caller = { id: "x", role: null, ...(token === undefined ? {} : { token }) };
      guard(server, app.database, async () => caller, { hasSeveralTenants });
      const reach = () => nameOf(database);
      server.get("/api/reach", { config: { access: "person" } }, reach);
      server.get("/open", { config: { access: "open" } }, reach);
      return [(await server.inject("/api/reach")).body, (await server.inject("/open")).body];
    };
    const [all, own] = [await nameOf(app.database), await nameOf(limited)];
    expect(await reached(true, "a token of one tenant")).toEqual([own, all]);
    expect(await reached(true, undefined)).toEqual([all, all]);
    expect(await reached(false, "a token of the only tenant")).toEqual([all, all]);
  });

  it("lets anybody use an open route, and asks nobody for a token there", async () => {
    const server = Fastify();
    guard(server, app.database, () => Promise.reject(new Error("no token")));
    server.get("/open", { config: { access: "open" } }, async () => "open");
    expect((await server.inject("/open")).body).toBe("open");
  });

  it("ends the connection of a refused request with a body of unknown length, and keeps that of one without", async () => {
    const answerTo = async (request: string) => {
      const socket = connect(app.port, "127.0.0.1");
      socket.write(request);
      const [answer] = (await once(socket, "data")) as [Buffer];
      socket.destroy();
      return String(answer);
    };
    const chunked =
      "POST /api/orders/import HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    expect(await answerTo(chunked)).toMatch(/^HTTP\/1\.1 401 .*connection: close/is);
    const bare = "GET /api/events HTTP/1.1\r\nhost: x\r\n\r\n";
    expect(await answerTo(bare)).toMatch(/^HTTP\/1\.1 401 .*connection: keep-alive/is);
  });

  it("ends for a long answer as soon as its caller loses the role or the token", async () => {
    const server = Fastify();
    let role: "viewer" | null = "viewer";
    let isValid = true;
    guard(server, app.database, async () => {
      if (!isValid) throw new Error("the token has expired");
      return { id: "x", role };
    });
    server.get("/api/long", { config: { access: "viewer" } }, async (request) => {
      await request.recheck();
      role = null;
      const withoutRole = await request.recheck().catch(String);
      [role, isValid] = ["viewer", false];
      return [withoutRole, await request.recheck().catch(String)];
    });
    expect((await server.inject("/api/long")).json()).toEqual([
      "Error: Forbidden",
      "Error: the token has expired",
    ]);
  });

  it("refuses before it reads the body", async () => {
    const answer = await app.server.inject({
      method: "POST",
      url: "/api/orders/import",
      headers: { "content-type": "application/json" },
      payload: "{ this is not JSON",
    });
    expect(answer.statusCode).toBe(401);
  });
});
