import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import type { Tenant } from "../../../tenant/index.ts";
import { documentSettings } from "../../../test/documents/scene.ts";
import { anApp, aTenant, type TestApp } from "../../../test/helpers/app.ts";

let tenant: Tenant;
let app: TestApp;
let apiId: string;

beforeAll(async () => {
  tenant = await aTenant({ switches: { journalRequests: true } });
  const api = tenant.apps[1]!;
  apiId = api.appId;
  app = await anApp(tenant, documentSettings(tenant), { roles: ["api"] });
});

const userToken = () =>
  tenant.tokenFor({
    user: tenant.users[1]!.id,
    app: tenant.apps[2]!.appId,
    scope: `api://${apiId}/user_impersonation`,
  });

async function status(authorization?: string, url = "/api/events"): Promise<number> {
  const answer = await app.server.inject({
    url,
    headers: authorization === undefined ? {} : { authorization },
  });
  return answer.statusCode;
}

interface Wrong {
  /** Undefined removes a claim. */
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
  readonly key?: KeyObject;
}

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

/** A token as Entra issues it for our API, with Entra's own key, and wrong only in what is named. */
function signed({ claims = {}, header = {}, key = tenant.keys.current().privateKey }: Wrong = {}) {
  return new SignJWT({
    oid: tenant.users[1]!.id,
    tid: tenant.tenantId,
    azp: tenant.apps[2]!.appId,
    scp: "user_impersonation",
    aud: apiId,
    iss: `https://login.microsoftonline.com/${tenant.tenantId}/v2.0`,
    iat: inSeconds(0),
    nbf: inSeconds(0),
    exp: inSeconds(600),
    ...claims,
  })
    .setProtectedHeader({ alg: "RS256", kid: tenant.keys.current().kid, ...header })
    .sign(key);
}

/**
 * Read from PEM: Node 20 can deadlock in an export of the generated object itself, if the job that generated it is
 * collected meanwhile, because both take the lock of that key.
 */
function aKey(): { privateKey: KeyObject; publicKey: KeyObject } {
  const pem = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return {
    privateKey: createPrivateKey(pem.privateKey),
    publicKey: createPublicKey(pem.publicKey),
  };
}
const OTHER = "0f2b2a3c-1111-4222-8333-444455556666";

/** The parts of a genuine token under another header and signature. */
async function resigned(header: object, sign: (text: string) => string): Promise<string> {
  const [, claims] = (await signed()).split(".");
  const text = `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${claims}`;
  return `${text}.${sign(text)}`;
}

const keyRequests = () =>
  tenant.journal.entries().filter((entry) => String(entry["path"]).endsWith("/keys")).length;

describe("who may ask", () => {
  it("a user with a token for our API, whatever the case of the scheme [AUTH-03] [AUTH-04] [AUTH-09] [S36]", async () => {
    expect(await status(`Bearer ${userToken()}`)).toBe(200);
    expect(await status(`bearer ${userToken()}`)).toBe(200);
    expect(await status(`Bearer ${await signed()}`)).toBe(200);
  });

  it.each([
    ["nothing", undefined],
    ["another scheme", "Basic abc"],
    ["an empty token", "Bearer "],
    ["rubbish", "Bearer abc"],
    ["two tokens", "Bearer a, Bearer b"],
  ])("nobody with %s [AUTH-03] [AUTH-04] [SEC-05]", async (_, authorization) => {
    expect(await status(authorization)).toBe(401);
  });

  it("nobody with a right token that is not a bearer [AUTH-03] [SEC-05]", async () => {
    for (const scheme of ["", "Basic ", "Bearer", "DPoP "])
      expect(await status(`${scheme}${userToken()}`), scheme).toBe(401);
  });

  it.each<[string, number, () => Wrong]>([
    ["another audience [S27]", 401, () => ({ claims: { aud: OTHER } })],
    [
      "Graph as its audience [S27]",
      401,
      () => ({ claims: { aud: "https://graph.microsoft.com" } }),
    ],
    ["no audience [S27]", 401, () => ({ claims: { aud: undefined } })],
    [
      "another tenant, which it names consistently [S28]",
      401,
      () => ({ claims: { tid: OTHER, iss: `https://login.microsoftonline.com/${OTHER}/v2.0` } }),
    ],
    ["our issuer and another tenant [S29]", 401, () => ({ claims: { tid: OTHER } })],
    [
      "our tenant and the issuer of another [S29]",
      401,
      () => ({ claims: { iss: `https://login.microsoftonline.com/${OTHER}/v2.0` } }),
    ],
    ["no tenant [S29]", 401, () => ({ claims: { tid: undefined } })],
    ["no issuer [S29]", 401, () => ({ claims: { iss: undefined } })],
    ["an end 61 seconds ago [S32]", 401, () => ({ claims: { exp: inSeconds(-61) } })],
    ["a beginning in more than a minute [S32]", 401, () => ({ claims: { nbf: inSeconds(75) } })],
    ["no end [S32]", 401, () => ({ claims: { exp: undefined } })],
    ["no user", 401, () => ({ claims: { oid: undefined } })],
    ["an unknown key [S30]", 401, () => ({ header: { kid: "unknown" } })],
    ["the signature of another key", 401, () => ({ key: aKey().privateKey })],
    ["another algorithm, with the right key", 401, () => ({ header: { alg: "RS512" } })],
    [
      "no app, as an ID token has none [S34]",
      401,
      () => ({ claims: { azp: undefined, scp: undefined, aud: apiId, nonce: "n" } }),
    ],
    ["no scope, as of an app [S33]", 403, () => ({ claims: { scp: undefined, idtyp: "app" } })],
    ["another scope [S35]", 403, () => ({ claims: { scp: "Files.Read openid" } })],
    [
      "a scope that only begins like ours [S35]",
      403,
      () => ({ claims: { scp: "user_impersonation2" } }),
    ],
  ])("nobody whose token is right but for %s [SEC-05]", async (_, expected, wrong) => {
    expect(await status(`Bearer ${await signed(wrong())}`)).toBe(expected);
  });

  it("a token that ended a moment ago or begins in a moment is accepted, because clocks differ [S32]", async () => {
    expect(await status(`Bearer ${await signed({ claims: { exp: inSeconds(-20) } })}`)).toBe(200);
    expect(await status(`Bearer ${await signed({ claims: { nbf: inSeconds(40) } })}`)).toBe(200);
  });

  it("nobody with Graph's own token [AUTH-09] [SEC-05] [S27]", async () => {
    expect(await status(`Bearer ${tenant.tokenFor({ user: tenant.users[1]!.id })}`)).toBe(401);
  });

  it("no app for itself [S33]", async () => {
    expect(await status(`Bearer ${tenant.tokenFor({ scope: `api://${apiId}/.default` })}`)).toBe(
      403,
    );
  });

  it("nobody with an unsigned token [SEC-05] [S25]", async () => {
    expect(await status(`Bearer ${await resigned({ alg: "none" }, () => "")}`)).toBe(401);
  });

  it("nobody with a token signed with the public key as a password [SEC-05] [S26]", async () => {
    const { kid, publicKey } = tenant.keys.current();
    const pem = publicKey.export({ type: "spki", format: "pem" });
    const token = await resigned({ alg: "HS256", kid }, (text) =>
      createHmac("sha256", pem).update(text).digest("base64url"),
    );
    expect(await status(`Bearer ${token}`)).toBe(401);
  });

  it("nobody whose token contains its own key, and no key is fetched for it [SEC-05] [S31]", async () => {
    const { privateKey, publicKey } = aKey();
    const asked: string[] = [];
    const foreign = createServer((request, response) => {
      asked.push(request.url!);
      response.end(
        JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "x" }] }),
      );
    }).listen(0, "127.0.0.1");
    await once(foreign, "listening");
    const url = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/keys`;
    for (const header of [
      { jwk: publicKey.export({ format: "jwk" }) },
      { jku: url },
      { x5u: url },
      { jku: url, kid: "x" },
    ])
      expect(await status(`Bearer ${await signed({ header, key: privateKey })}`)).toBe(401);
    foreign.close();
    expect(asked).toEqual([]);
  });

  it("a thousand tokens with unknown keys ask Entra for its keys at most once [S30]", async () => {
    await status(`Bearer ${await signed()}`);
    const before = keyRequests();
    const { privateKey } = aKey();
    const tokens = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) =>
        signed({ header: { kid: `k${n}` }, key: privateKey }),
      ),
    );
    for (const token of tokens) expect(await status(`Bearer ${token}`)).toBe(401);
    expect(keyRequests() - before).toBeLessThanOrEqual(1);
  });

  it("a token in the URL is ignored [S36]", async () => {
    expect(await status(undefined, `/api/events?access_token=${userToken()}`)).toBe(401);
  });

  it("two Authorization headers are a bad request, even with the same token [S36]", async () => {
    const socket = connect(app.port, "127.0.0.1");
    const header = `authorization: Bearer ${userToken()}\r\n`;
    socket.write(
      `GET /api/events HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${header}${header}\r\n`,
    );
    const [answer] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("a header whose value is called authorization is no second one", async () => {
    const headers = { authorization: `Bearer ${userToken()}`, "x-note": "authorization" };
    expect((await app.server.inject({ url: "/api/events", headers })).statusCode).toBe(200);
  });

  it("the operator's key from the home folder opens everything, a user's token only their own data [H-10]", async () => {
    expect(await status(`Bearer ${app.operatorKey}`, "/api/subscriptions")).toBe(200);
    expect(await status(`Bearer ${userToken()}`, "/api/subscriptions")).toBe(403);
    expect(await status(`Bearer ${userToken()}`, "/api/trades")).toBe(403);
  });

  it.each([
    [{ "postroom-operator": "vera" }, "vera (operator key)"],
    [{ "postroom-operator": "vera%20x" }, null],
    [{ "postroom-operator": "" }, null],
    [{}, null],
  ])("the operator's key of a terminal that sends %j is recorded as %j", async (sent, name) => {
    const headers = { authorization: `Bearer ${app.operatorKey}`, ...sent };
    const answer = await app.server.inject({ url: "/api/me", headers });
    expect(answer.json()).toEqual({ id: "operator", name, role: "admin" });
  });

  it.each([
    ["Vera Lang", "Vera Lang"],
    [7, null],
    [undefined, null],
  ])("the name in a token, %j, is shown as %j", async (name, shown) => {
    const headers = { authorization: `Bearer ${await signed({ claims: { name } })}` };
    const answer = await app.server.inject({ url: "/api/me", headers });
    expect([answer.statusCode, answer.json().name]).toEqual([200, shown]);
  });

  it("nobody but the operator, if no registration for people's tokens is set up", async () => {
    const alone = await anApp(tenant, {}, { roles: ["api"] });
    const statusFor = async (token: string) =>
      (
        await alone.server.inject({
          ...{ url: "/api/events", headers: { authorization: `Bearer ${token}` } },
        })
      ).statusCode;
    expect(await statusFor(alone.operatorKey)).toBe(200);
    expect(await statusFor(userToken())).toBe(401);
  });

  it("health needs no token, everything else does [OPS-01] [AUTH-04]", async () => {
    const health = await app.server.inject({ url: "/healthz" });
    expect([health.statusCode, health.body]).toEqual([200, "Healthy"]);
    for (const url of [
      "/api/events",
      "/api/mailboxes",
      "/api/trades",
      "/api/reviews",
      "/api/jobs",
      "/api/dlq",
      "/api/evidence",
      "/api/coverage",
    ]) {
      expect(await status(undefined, url)).toBe(401);
    }
  });
});

describe("a body", () => {
  it.each([
    ["PUT", "/api/containers/default/files/documents/x.bin", "application/octet-stream"],
    ["PUT", "/upload/session/58dd5db4-8043-4676-9d3c-0123456789ab", "application/octet-stream"],
    ["POST", "/upload/file", "multipart/form-data; boundary=x"],
    ["POST", "/api/contract-notes", "multipart/form-data; boundary=x"],
    ["POST", "/api/orders/import", "application/json"],
  ])(
    "to %s %s is refused before it is read, and its connection ends",
    async (method, path, type) => {
      const answers = await Promise.all(
        Array.from({ length: 40 }, async () => {
          const socket = connect(app.port, "127.0.0.1");
          socket.on("error", () => {});
          // Sends only the headers: a server that waits for the body never answers.
          socket.write(
            `${method} ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 10485760\r\n\r\n`,
          );
          let text = "";
          socket.on("data", (chunk) => {
            text += String(chunk);
          });
          await once(socket, "close");
          return text;
        }),
      );
      for (const answer of answers) {
        expect(answer).toMatch(/^HTTP\/1\.1 401 /);
        expect(answer).toMatch(/connection: close/i);
      }
    },
  );
});

describe("an error", () => {
  it("is problem details with a correlation id and neither stack nor SQL [X-11] [S69]", async () => {
    const answer = await app.server.inject({
      url: "/api/events?limit=9999",
      headers: { authorization: `Bearer ${app.operatorKey}`, "x-correlation-id": "my-id-1" },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json/);
    expect(answer.json()).toMatchObject({
      title: "Bad Request",
      status: 400,
      correlationId: "my-id-1",
    });
    expect(answer.body).not.toMatch(/at .*\.ts:|SELECT/);
  });
});
