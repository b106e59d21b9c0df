import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";

/** What Entra refuses, and with which error and number. */
export interface EntraRefusalsTarget {
  readonly entra: string;
  readonly graph: string;
  readonly tenantId: string;
  readonly daemon: { readonly id: string; readonly secret: string };
  /** A single-page application and a person who may sign in to it. */
  readonly page?: {
    readonly clientId: string;
    readonly redirectUri: string;
    readonly username: string;
    readonly password: string;
  };
}

const DOCS = "https://learn.microsoft.com/entra/identity-platform";
const ERRORS = `${DOCS}/reference-error-codes`;
const GRAPH = "https://graph.microsoft.com/.default";

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Loose = any;
type Form = Record<string, string>;

export function testEntraRefusals(name: string, open: () => Promise<EntraRefusalsTarget>): void {
  describe(`${name}: refusals`, () => {
    let target: EntraRefusalsTarget;
    beforeAll(async () => {
      target = await open();
    });
    const ask = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(`${target.entra}/${path}`, { redirect: "manual", ...init });
      const text = await answer.text();
      const json: Loose = text.startsWith("{") ? JSON.parse(text) : {};
      return { status: answer.status, headers: answer.headers, json, text };
    };
    const token = (
      form: Form,
      { tenant = target.tenantId, version = "v2.0/", headers = {} } = {},
    ) =>
      ask(`${tenant}/oauth2/${version}token`, {
        method: "POST",
        headers,
        body: new URLSearchParams(form),
      });
    const daemon = (more: Form = {}): Form => ({
      grant_type: "client_credentials",
      client_id: target.daemon.id,
      client_secret: target.daemon.secret,
      scope: GRAPH,
      ...more,
    });
    const refusal = ({ status, json }: { status: number; json: Loose }) => [
      status,
      json.error,
      json.error_codes?.[0],
    ];

    it.each([
      ["a wrong secret", { client_secret: "wrong" }, 401, "invalid_client", 7000215],
      [
        "an unknown app",
        { client_id: "00000000-0000-0000-0000-000000000001" },
        400,
        "unauthorized_client",
        700016,
      ],
      ["an unknown grant", { grant_type: "magic" }, 400, "unsupported_grant_type", 70003],
      [
        "an unknown resource",
        { scope: "https://nothing.example/.default" },
        400,
        "invalid_resource",
        500011,
      ],
      [
        "two resources",
        { scope: `${GRAPH} https://servicebus.azure.net/.default` },
        400,
        "invalid_scope",
        700022,
      ],
      [
        "a refresh token for an app",
        { scope: `${GRAPH} offline_access` },
        400,
        "invalid_scope",
        1002012,
      ],
      [
        "a resource at the version-2 endpoint",
        { resource: "https://graph.microsoft.com" },
        400,
        "invalid_request",
        901002,
      ],
    ] as const)(`%s is refused (${ERRORS})`, async (_what, more, status, error, number) => {
      expect(refusal(await token(daemon(more as unknown as Form)))).toEqual([
        status,
        error,
        number,
      ]);
    });

    it.each(["grant_type", "client_id", "scope"])(
      `a request without %s names what is missing (${ERRORS} AADSTS900144)`,
      async (parameter) => {
        const { [parameter]: _left, ...form } = daemon();
        const answer = await token(form);
        expect(refusal(answer)).toEqual([400, "invalid_request", 900144]);
        expect(answer.json.error_description).toContain(`'${parameter}'`);
      },
    );

    it(`an app without a secret is asked for one (${ERRORS} AADSTS7000218)`, async () => {
      const { client_secret: _left, ...form } = daemon();
      expect(refusal(await token(form))).toEqual([401, "invalid_client", 7000218]);
    });

    it(`an app asks its own tenant, not all of them (${DOCS}/v2-oauth2-client-creds-grant-flow, ${ERRORS} AADSTS50059)`, async () => {
      for (const tenant of ["common", "organizations"]) {
        expect(refusal(await token(daemon(), { tenant }))).toEqual([400, "invalid_request", 50059]);
      }
    });

    it(`a parameter is sent once (https://www.rfc-editor.org/rfc/rfc6749#section-3.2, ${ERRORS} AADSTS9000411)`, async () => {
      const twice = new URLSearchParams(daemon());
      twice.append("scope", GRAPH);
      const answer = await ask(`${target.tenantId}/oauth2/v2.0/token`, {
        method: "POST",
        body: twice,
      });
      expect(refusal(answer)).toEqual([400, "invalid_request", 9000411]);
      expect(answer.json.error_description).toContain("'scope' is duplicated");
      const page = await ask(
        `${target.tenantId}/oauth2/v2.0/authorize?client_id=${target.daemon.id}&client_id=${target.daemon.id}`,
      );
      expect(page.headers.get("location")).toBeNull();
      expect(page.text).toContain("AADSTS9000411");
    });

    it(`tokens are asked for by POST (${ERRORS} AADSTS900561)`, async () => {
      const answer = await ask(`${target.tenantId}/oauth2/v2.0/token`);
      expect(refusal(answer)).toEqual([400, "invalid_request", 900561]);
    });

    it(`a tenant that does not exist is named (${ERRORS} AADSTS90002)`, async () => {
      const answer = await token(daemon(), { tenant: "11111111-1111-1111-1111-111111111111" });
      expect(refusal(answer)).toEqual([400, "invalid_request", 90002]);
    });

    it(`the version-1 endpoint needs a resource (https://learn.microsoft.com/previous-versions/azure/active-directory/azuread-dev/v1-oauth2-client-creds-grant-flow)`, async () => {
      const answer = await token(daemon(), { version: "" });
      expect(refusal(answer)).toEqual([400, "invalid_request", 900144]);
      expect(answer.json.error_description).toContain("'resource'");
    });

    it(`a secret may come in the Authorization header (${DOCS}/v2-oauth2-client-creds-grant-flow)`, async () => {
      const { client_id, client_secret, ...form } = daemon();
      const basic = Buffer.from(`${client_id}:${encodeURIComponent(client_secret!)}`);
      const headers = { authorization: `Basic ${basic.toString("base64")}` };
      const answer = await token(form, { headers });
      expect([answer.status, answer.json.token_type]).toEqual([200, "Bearer"]);
      expect(answer.json).not.toHaveProperty("refresh_token");
    });

    it(`a client assertion that is none is refused (${ERRORS} AADSTS50027)`, async () => {
      const { client_secret: _left, ...form } = daemon();
      const answer = await token({
        ...form,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: "a.b.c",
      });
      expect(refusal(answer)).toEqual([401, "invalid_client", 50027]);
    });

    it(`errors are told with number, trace and time (${ERRORS}#handling-error-codes-in-your-application)`, async () => {
      const { json } = await token(daemon({ client_secret: "wrong" }));
      expect(json).toMatchObject({
        error_codes: [7000215],
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/),
        trace_id: expect.any(String),
        correlation_id: expect.any(String),
        error_uri: expect.stringContaining("7000215"),
      });
      expect(json.error_description).toMatch(/^AADSTS7000215: /);
    });

    it(`the caller's request id comes back when asked for, beside Entra's own (https://learn.microsoft.com/previous-versions/azure/active-directory/azuread-dev/v1-protocols-oauth-code)`, async () => {
      const id = "11111111-2222-4333-8444-555555555555";
      const headers = { "client-request-id": id, "return-client-request-id": "true" };
      const refused = await token(daemon({ client_secret: "wrong" }), { headers });
      expect(refused.json.correlation_id).toBe(id);
      expect(refused.headers.get("client-request-id")).toBe(id);
      expect(refused.headers.get("x-ms-request-id")).toBe(refused.json.trace_id);
      const given = await token(daemon(), { headers });
      expect(given.headers.get("client-request-id")).toBe(id);
    });

    it(`the instance document is only for hosts that Microsoft knows (${ERRORS} AADSTS50049)`, async () => {
      const instance = (authority: string) =>
        ask(
          `common/discovery/instance?api-version=1.1&authorization_endpoint=${authority}/common/oauth2/v2.0/authorize`,
        );
      expect((await instance("https://login.microsoftonline.com")).status).toBe(200);
      expect(refusal(await instance("https://login.evil.example"))).toEqual([
        400,
        "invalid_instance",
        50049,
      ]);
    });

    it(`personal accounts have an issuer of their own (${DOCS}/v2-protocols-oidc#find-your-apps-openid-configuration-document-uri)`, async () => {
      const { json } = await ask("consumers/v2.0/.well-known/openid-configuration");
      expect(json.issuer).toBe(
        "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
      );
      expect(json).toMatchObject({ http_logout_supported: true });
    });

    describe("a single-page application", () => {
      const verifier = "v".repeat(43);
      const asked = (more: Form = {}): Form => ({
        client_id: target.page!.clientId,
        response_type: "code",
        redirect_uri: target.page!.redirectUri,
        scope: "openid profile offline_access User.Read",
        state: "a state",
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
        ...more,
      });
      const authorize = (more: Form) =>
        ask(`${target.tenantId}/oauth2/v2.0/authorize?${new URLSearchParams(asked(more))}`);
      const signIn = async (more: Form = {}) => {
        const { username, password } = target.page!;
        const answer = await ask(`${target.tenantId}/oauth2/v2.0/authorize`, {
          method: "POST",
          body: new URLSearchParams(asked({ username, password, ...more })),
        });
        return new URL(answer.headers.get("location")!).searchParams;
      };
      const redeem = (form: Form) =>
        token(
          {
            grant_type: "authorization_code",
            client_id: target.page!.clientId,
            redirect_uri: target.page!.redirectUri,
            code_verifier: verifier,
            ...form,
          },
          { headers: { origin: new URL(target.page!.redirectUri).origin } },
        );

      it.each([
        [{ response_type: "token" }, "unsupported_response_type", 700051],
        [{ response_type: "id_token" }, "unsupported_response_type", 700054],
        [{ response_mode: "carrier_pigeon" }, "invalid_request", 70007],
        [{ prompt: "shout" }, "invalid_request", 90023],
        [{ code_challenge: "" }, "invalid_request", 9002325],
        [{ prompt: "none" }, "login_required", 50058],
        [{ scope: "" }, "invalid_request", 900144],
        [{ code_challenge_method: "S512" }, "invalid_request", 50149],
        [{ code_challenge: "too short" }, "invalid_request", 501491],
      ] as const)(
        `%o goes back to the application as an error (${ERRORS})`,
        async (more, error, number) => {
          const answer = await authorize(more as unknown as Form);
          expect(answer.status).toBe(302);
          const back = new URL(answer.headers.get("location")!).searchParams;
          expect([back.get("error"), back.get("state")]).toEqual([error, "a state"]);
          expect(back.get("error_description")).toContain(`AADSTS${number}`);
        },
      );

      it.each([
        ["redirect_uri", "https://evil.example/"],
        ["client_id", "00000000-0000-0000-0000-000000000001"],
      ])(
        `nobody is sent anywhere with a wrong %s (${ERRORS} AADSTS50011, AADSTS700016)`,
        async (parameter, value) => {
          const answer = await authorize({ [parameter]: value });
          expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
        },
      );

      it(`a code is good once, for its verifier and its address (${DOCS}/v2-oauth2-auth-code-flow)`, async () => {
        const back = await signIn();
        expect(back.get("state")).toBe("a state");
        const code = back.get("code")!;
        const wrong = await redeem({ code, code_verifier: "w".repeat(43) });
        expect(refusal(wrong)).toEqual([400, "invalid_grant", 501481]);
        const without = await redeem({ code, code_verifier: "" });
        expect(refusal(without)).toEqual([400, "invalid_grant", 50148]);
        const elsewhere = await redeem({ code, redirect_uri: "https://other.example/" });
        expect(refusal(elsewhere)).toEqual([400, "invalid_grant", 500112]);
        const good = await redeem({ code });
        expect([good.status, Object.keys(good.json)]).toEqual([
          200,
          expect.arrayContaining(["access_token", "id_token", "refresh_token", "scope"]),
        ]);
        expect(refusal(await redeem({ code }))).toEqual([400, "invalid_grant", 54005]);
      });

      it(`the id token has the nonce and names the person (${DOCS}/id-token-claims-reference)`, async () => {
        const back = await signIn({ nonce: "n-1" });
        const { json } = await redeem({ code: back.get("code")! });
        const claims = JSON.parse(Buffer.from(json.id_token.split(".")[1], "base64url").toString());
        expect(claims).toMatchObject({
          aud: target.page!.clientId,
          nonce: "n-1",
          tid: target.tenantId,
          preferred_username: target.page!.username,
          ver: "2.0",
        });
      });

      it(`a refresh token gives new tokens, and a wrong one is refused (${DOCS}/v2-oauth2-auth-code-flow#refresh-the-access-token)`, async () => {
        const { json } = await redeem({ code: (await signIn()).get("code")! });
        const refresh = (refresh_token: string) =>
          redeem({ grant_type: "refresh_token", refresh_token, scope: "User.Read offline_access" });
        expect((await refresh(json.refresh_token)).json.refresh_token).toEqual(expect.any(String));
        expect((await refresh("wrong")).json.error).toBe("invalid_grant");
      });

      it(`an id token names the person only under the scope profile (${DOCS}/id-token-claims-reference#payload-claims)`, async () => {
        const claims = async (scope: string) => {
          const { json } = await token({
            grant_type: "password",
            client_id: target.page!.clientId,
            username: target.page!.username,
            password: target.page!.password,
            scope,
          });
          return JSON.parse(Buffer.from(json.id_token.split(".")[1], "base64url").toString());
        };
        const personal = ["name", "oid", "preferred_username"];
        const named = await claims("openid profile");
        const nameless = await claims("openid");
        expect(personal.filter((name) => name in named)).toEqual(personal);
        expect(personal.filter((name) => name in nameless)).toEqual([]);
        expect(nameless.sub).toBe(named.sub);
      });

      it(`a public client presents no secret (${ERRORS} AADSTS700025)`, async () => {
        const code = (await signIn()).get("code")!;
        const { page } = target;
        const answer = await token({
          grant_type: "authorization_code",
          client_id: page!.clientId,
          client_secret: "anything",
          code,
        });
        expect(refusal(answer)).toEqual([401, "invalid_client", 700025]);
      });

      it(`user info is that of the person of the token (${DOCS}/userinfo)`, async () => {
        const { json } = await redeem({ code: (await signIn()).get("code")! });
        const info = await fetch(`${target.graph}/oidc/userinfo`, {
          headers: { authorization: `Bearer ${json.access_token}` },
        });
        expect([info.status, ((await info.json()) as Loose).sub]).toEqual([
          200,
          expect.any(String),
        ]);
        expect((await fetch(`${target.graph}/oidc/userinfo`)).status).toBe(401);
      });

      it(`a password that is wrong, and a person who does not exist, are told apart (${DOCS}/v2-oauth-ropc, ${ERRORS} AADSTS50126, AADSTS50034)`, async () => {
        const form = (username: string): Form => ({
          grant_type: "password",
          client_id: target.page!.clientId,
          scope: "openid User.Read",
          username,
          password: "wrong",
        });
        expect(refusal(await token(form(target.page!.username)))).toEqual([
          400,
          "invalid_grant",
          50126,
        ]);
        const domain = target.page!.username.split("@")[1];
        expect(refusal(await token(form(`nobody@${domain}`)))).toEqual([
          400,
          "invalid_grant",
          50034,
        ]);
      });
    });
  });
}
