import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { beforeAll, describe, expect, it } from "vitest";

/**
 * What Microsoft's documents say of Entra's endpoints, as far as a middle tier depends on it. The
 * suite runs against any tenant: what a target cannot arrange (an expired token, a policy, a key
 * rotation) it leaves out, and the cases that need it are not declared.
 */
export interface EntraTarget {
  /** `https://login.microsoftonline.com`, or the address of a local tenant. */
  readonly entra: string;
  readonly tenantId: string;
  /** A daemon with application permissions of Graph. */
  readonly daemon: { readonly id: string; readonly secret: string };
  /** An API with version-2 tokens and delegated consent for Graph's `User.Read`. */
  readonly api: { readonly id: string; readonly secret: string };
  /** A delegated Graph permission nobody has consented to for the API. */
  readonly unconsentedScope: string;
  /** A user's token for the API. */
  userToken(): Promise<string>;
  /** A user's token for the API that is past its time. */
  expiredUserToken?(): Promise<string>;
  /** From now on Graph wants a second factor of the user. */
  requireSecondFactor?(): Promise<void>;
  rotateKeys?(): Promise<void>;
}

const DOCS = "https://learn.microsoft.com/entra/identity-platform";
const GRAPH = "https://graph.microsoft.com";

type Answer = { readonly status: number; readonly body: Record<string, unknown> };

export function testEntra(
  name: string,
  open: () => Promise<EntraTarget>,
  can: readonly string[],
): void {
  describe(name, () => {
    let target: EntraTarget;
    beforeAll(async () => {
      target = await open();
    });

    const ask = async (form: Record<string, string>): Promise<Answer> => {
      const answer = await fetch(`${target.entra}/${target.tenantId}/oauth2/v2.0/token`, {
        method: "POST",
        body: new URLSearchParams(form),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const askAsDaemon = (scope = `${GRAPH}/.default`) =>
      ask({
        grant_type: "client_credentials",
        client_id: target.daemon.id,
        client_secret: target.daemon.secret,
        scope,
      });
    const exchange = (assertion: string, scope = `${GRAPH}/.default`) =>
      ask({
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        requested_token_use: "on_behalf_of",
        client_id: target.api.id,
        client_secret: target.api.secret,
        assertion,
        scope,
      });
    const keys = async () => {
      const answer = await fetch(`${target.entra}/${target.tenantId}/discovery/v2.0/keys`);
      return (await answer.json()) as JSONWebKeySet;
    };

    describe(`client credentials (${DOCS}/v2-oauth2-client-creds-grant-flow)`, () => {
      it("the answer is a bearer token without a refresh token", async () => {
        const { status, body } = await askAsDaemon();
        expect(status).toBe(200);
        expect(body).toMatchObject({ token_type: "Bearer" });
        expect(body["expires_in"]).toBeGreaterThan(0);
        expect(body).not.toHaveProperty("refresh_token");
      });

      it("a scope without /.default is an invalid scope", async () => {
        const { status, body } = await askAsDaemon(`${GRAPH}/Mail.Read`);
        expect(status).toBe(400);
        expect(body["error"]).toBe("invalid_scope");
      });
    });

    describe(`token shapes (${DOCS}/access-tokens)`, () => {
      it("Graph's token has version 1 though the version-2 endpoint gave it", async () => {
        const { body } = await askAsDaemon();
        expect(claimsOf(body["access_token"])).toMatchObject({
          aud: GRAPH,
          iss: `https://sts.windows.net/${target.tenantId}/`,
          appid: target.daemon.id,
          ver: "1.0",
          tid: target.tenantId,
        });
      });

      it("the API's token has version 2, names the API by its id, and verifies with the published keys", async () => {
        const token = await target.userToken();
        const { payload } = await jwtVerify(token, createLocalJWKSet(await keys()), {
          issuer: `https://login.microsoftonline.com/${target.tenantId}/v2.0`,
          audience: target.api.id,
        });
        expect(payload).toMatchObject({ ver: "2.0", tid: target.tenantId });
        expect(payload["oid"]).toBeTypeOf("string");
        expect(payload["scp"]).toBeTypeOf("string");
      });
    });

    describe(`on-behalf-of (${DOCS}/v2-oauth2-on-behalf-of-flow)`, () => {
      it("the user's token for the API becomes the user's token for Graph", async () => {
        const token = await target.userToken();
        const { status, body } = await exchange(token);
        expect(status).toBe(200);
        const claims = claimsOf(body["access_token"]);
        expect(claims).toMatchObject({ aud: GRAPH, appid: target.api.id, ver: "1.0" });
        expect(claims["oid"]).toBe(claimsOf(token)["oid"]);
      });

      it("a token for another audience is refused (AADSTS500131)", async () => {
        const first = await exchange(await target.userToken());
        const { status, body } = await exchange(String(first.body["access_token"]));
        expect(status).toBe(400);
        expect(body["error"]).toBe("invalid_grant");
        // For a Graph token Entra may already refuse the signature, whose nonce only Graph knows.
        expect([500131, 50013]).toContain((body["error_codes"] as number[])[0]);
      });

      it("a scope without consent is refused with suberror consent_required (AADSTS65001)", async () => {
        const { status, body } = await exchange(await target.userToken(), target.unconsentedScope);
        expect(status).toBe(400);
        expect(body).toMatchObject({
          error: "invalid_grant",
          suberror: "consent_required",
          error_codes: [65001],
        });
      });

      if (can.includes("expired")) {
        it("a token past its time is refused (AADSTS500133)", async () => {
          const { status, body } = await exchange(await target.expiredUserToken!());
          expect(status).toBe(400);
          expect(body).toMatchObject({ error: "invalid_grant", error_codes: [500133] });
        });
      }
    });

    describe(`errors (${DOCS}/reference-error-codes)`, () => {
      it("an error has its code, numbers, trace and correlation ids and the time", async () => {
        const { body } = await askAsDaemon("https://nowhere.invalid/.default");
        expect(body["error"]).toBeTypeOf("string");
        expect(body["error_description"]).toMatch(/^AADSTS\d+: /);
        expect(body["error_codes"]).toHaveLength(1);
        expect(body["timestamp"]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/);
        expect(body["trace_id"]).toMatch(/^[0-9a-f-]{36}$/);
        expect(body["correlation_id"]).toMatch(/^[0-9a-f-]{36}$/);
      });
    });

    if (can.includes("rotation")) {
      it(`after a key rotation old and new tokens verify with the published keys (${DOCS}/access-tokens)`, async () => {
        const before = await target.userToken();
        await target.rotateKeys!();
        const after = await target.userToken();
        expect(headerOf(after)["kid"]).not.toBe(headerOf(before)["kid"]);
        const published = createLocalJWKSet(await keys());
        await expect(jwtVerify(before, published)).resolves.toBeDefined();
        await expect(jwtVerify(after, published)).resolves.toBeDefined();
      });
    }

    if (can.includes("policy")) {
      it(`a policy answers on-behalf-of with interaction_required and claims (${DOCS}/claims-challenge)`, async () => {
        await target.requireSecondFactor!();
        const { status, body } = await exchange(await target.userToken());
        expect(status).toBe(400);
        expect(body["error"]).toBe("interaction_required");
        expect(JSON.parse(String(body["claims"]))).toHaveProperty("access_token");
      });
    }
  });
}

function claimsOf(token: unknown): Record<string, unknown> {
  return decodePart(String(token).split(".")[1]!);
}

function headerOf(token: string): Record<string, unknown> {
  return decodePart(token.split(".")[0]!);
}

function decodePart(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
}
