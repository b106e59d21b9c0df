import { beforeAll, describe, expect, it } from "vitest";

/** What clients besides a middle tier need of Entra, and its directory over Graph. */
export interface EntraClientsTarget {
  readonly entra: string;
  readonly graph: string;
  readonly tenantId: string;
  readonly daemon: { readonly id: string; readonly secret: string };
  /** An app that may use the device code flow, and a person who may sign in. */
  readonly device?: {
    readonly clientId: string;
    readonly scope: string;
    readonly username: string;
    readonly password: string;
  };
  /** A code of a single-page application, with what is needed to redeem it. */
  pageCode?(): Promise<Record<string, string>>;
  /** An app and its address that an administrator can consent to. */
  readonly consent?: { readonly clientId: string; readonly redirectUri: string };
}

const DOCS = "https://learn.microsoft.com/entra/identity-platform";
// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Loose = any;

export function testEntraClients(
  name: string,
  open: () => Promise<EntraClientsTarget>,
  can: readonly string[],
): void {
  describe(name, () => {
    let target: EntraClientsTarget;
    beforeAll(async () => {
      target = await open();
    });
    const post = async (
      path: string,
      form: Record<string, string>,
      headers: Record<string, string> = {},
    ) => {
      const answer = await fetch(`${target.entra}/${path}`, {
        method: "POST",
        redirect: "manual",
        headers,
        body: new URLSearchParams(form),
      });
      const text = await answer.text();
      const json: Loose = text.startsWith("{") ? JSON.parse(text) : {};
      return { status: answer.status, headers: answer.headers, json, text };
    };
    const token = (form: Record<string, string>, headers = {}) =>
      post(`${target.tenantId}/oauth2/v2.0/token`, form, headers);
    const daemonForm = () => ({
      grant_type: "client_credentials",
      client_id: target.daemon.id,
      client_secret: target.daemon.secret,
      scope: "https://graph.microsoft.com/.default",
    });

    it(`a secret that is sent from a browser is refused (${DOCS}/reference-error-codes AADSTS9002326)`, async () => {
      const refused = await token(daemonForm(), { origin: "https://page.example" });
      expect([refused.status, refused.json.error, refused.json.error_codes]).toEqual([
        400,
        "invalid_request",
        [9002326],
      ]);
      expect((await token(daemonForm())).status).toBe(200);
    });

    if (can.includes("page")) {
      it(`the code of a single-page application is redeemed with Origin only (${DOCS}/reference-error-codes AADSTS9002327, ${DOCS}/v2-oauth2-auth-code-flow)`, async () => {
        const form = await target.pageCode!();
        const without = await token(form);
        expect([without.status, without.json.error_codes]).toEqual([400, [9002327]]);
        const redeemed = await token(form, { origin: "http://localhost:8010" });
        expect(redeemed.status).toBe(200);
        expect(redeemed.headers.get("access-control-allow-origin")).toBe("http://localhost:8010");
      });
    }

    it(`discovery of a tenant that does not exist is 400 invalid_tenant (${DOCS}/reference-error-codes AADSTS90002)`, async () => {
      for (const path of [
        "v2.0/.well-known/openid-configuration",
        ".well-known/openid-configuration",
        "discovery/v2.0/keys",
      ]) {
        const answer = await fetch(`${target.entra}/nobody.example/${path}`);
        const json: Loose = await answer.json();
        expect([path, answer.status, json.error, json.error_codes]).toEqual([
          path,
          400,
          "invalid_tenant",
          [90002],
        ]);
      }
      expect(
        (await fetch(`${target.entra}/common/v2.0/.well-known/openid-configuration`)).status,
      ).toBe(200);
    });

    it(`the version-1 endpoint accepts a resource and responds with strings (https://learn.microsoft.com/previous-versions/azure/active-directory/azuread-dev/v1-oauth2-client-creds-grant-flow)`, async () => {
      const { scope: _, ...form } = daemonForm();
      const answer = await post(`${target.tenantId}/oauth2/token`, {
        ...form,
        resource: "https://graph.microsoft.com",
      });
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({
        token_type: "Bearer",
        expires_in: expect.stringMatching(/^\d+$/),
        ext_expires_in: expect.stringMatching(/^\d+$/),
        expires_on: expect.stringMatching(/^\d+$/),
        not_before: expect.stringMatching(/^\d+$/),
        resource: "https://graph.microsoft.com",
      });
      const second = await token(daemonForm());
      expect(second.json.expires_in).toEqual(expect.any(Number));
      expect(second.json).not.toHaveProperty("expires_on");
    });

    if (can.includes("device")) {
      it(`a device code is pending until a person signs in (${DOCS}/v2-oauth2-device-code)`, async () => {
        const { clientId, scope, username, password } = target.device!;
        const started = await post(`${target.tenantId}/oauth2/v2.0/devicecode`, {
          client_id: clientId,
          scope,
        });
        expect(started.status).toBe(200);
        expect(started.json).toMatchObject({
          expires_in: 900,
          interval: 5,
          user_code: expect.any(String),
          verification_uri: expect.any(String),
        });
        expect(started.json.message).toContain(started.json.user_code);
        const form = {
          grant_type: "urn:ietf:params:oauth:grant-type:device_code",
          client_id: clientId,
          device_code: started.json.device_code,
        };
        const pending = await token(form);
        expect([pending.status, pending.json.error]).toEqual([400, "authorization_pending"]);
        await fetch(started.json.verification_uri, {
          method: "POST",
          body: new URLSearchParams({ otc: started.json.user_code, username, password }),
        });
        const done = await token(form);
        expect([done.status, done.json.token_type]).toEqual([200, "Bearer"]);
        const again = await token(form);
        expect([again.status, again.json.error]).toEqual([400, "bad_verification_code"]);
      });

      it(`a declined device code ends the flow (${DOCS}/v2-oauth2-device-code#expected-errors)`, async () => {
        const { clientId, scope } = target.device!;
        const started = await post(`${target.tenantId}/oauth2/v2.0/devicecode`, {
          client_id: clientId,
          scope,
        });
        await fetch(started.json.verification_uri, {
          method: "POST",
          body: new URLSearchParams({ otc: started.json.user_code, decision: "decline" }),
        });
        const form = {
          grant_type: "urn:ietf:params:oauth:grant-type:device_code",
          client_id: clientId,
          device_code: started.json.device_code,
        };
        expect((await token(form)).json.error).toBe("authorization_declined");
      });
    }

    if (can.includes("consent")) {
      it(`admin consent redirects to the application with the tenant, or with access_denied (${DOCS}/v2-admin-consent)`, async () => {
        const { clientId, redirectUri } = target.consent!;
        const { username, password } = target.device!;
        const path = `${target.tenantId}/v2.0/adminconsent`;
        const asked = {
          client_id: clientId,
          redirect_uri: redirectUri,
          state: "12345",
          scope: "https://graph.microsoft.com/Mail.Read",
        };
        const shown = await fetch(`${target.entra}/${path}?${new URLSearchParams(asked)}`);
        expect([shown.status, shown.headers.get("content-type")]).toEqual([
          200,
          expect.stringContaining("text/html"),
        ]);
        const accepted = await post(path, { ...asked, username, password, decision: "accept" });
        const back = new URL(accepted.headers.get("location")!).searchParams;
        expect(Object.fromEntries(back)).toMatchObject({
          admin_consent: "True",
          tenant: target.tenantId,
          state: "12345",
        });
        const declined = await post(path, { ...asked, decision: "decline" });
        expect(new URL(declined.headers.get("location")!).searchParams.get("error")).toBe(
          "access_denied",
        );
        const stranger = await post(path, {
          ...asked,
          redirect_uri: "https://evil.example/",
          decision: "accept",
        });
        expect([stranger.status, stranger.headers.get("location")]).toEqual([400, null]);
      });
    }

    it(`service principals are found by app id, with the roles they offer (https://learn.microsoft.com/graph/api/serviceprincipal-get)`, async () => {
      const { json } = await token(daemonForm());
      const headers = { authorization: `Bearer ${json.access_token}` };
      const graph = (await (
        await fetch(
          `${target.graph}/v1.0/servicePrincipals(appId='00000003-0000-0000-c000-000000000000')`,
          { headers },
        )
      ).json()) as Loose;
      expect(graph.displayName).toBe("Microsoft Graph");
      expect(graph.appRoles.map((role: Loose) => role.value)).toContain("Mail.Read");
      const filter = encodeURIComponent(`appId eq '${target.daemon.id}'`);
      const listed = (await (
        await fetch(`${target.graph}/v1.0/servicePrincipals?$filter=${filter}&$select=id,appId`, {
          headers,
        })
      ).json()) as Loose;
      expect(listed.value).toEqual([{ id: expect.any(String), appId: target.daemon.id }]);
      const assigned = (await (
        await fetch(
          `${target.graph}/v1.0/servicePrincipals/${listed.value[0].id}/appRoleAssignments`,
          { headers },
        )
      ).json()) as Loose;
      const mail = graph.appRoles.find((role: Loose) => role.value === "Mail.Read");
      expect(assigned.value).toContainEqual(
        expect.objectContaining({
          appRoleId: mail.id,
          resourceId: graph.id,
          principalType: "ServicePrincipal",
        }),
      );
    });

    if (can.includes("assign")) {
      it(`an app role is assigned once, works in the next token, and is taken back (https://learn.microsoft.com/graph/api/serviceprincipal-post-approleassignments)`, async () => {
        const { json } = await token(daemonForm());
        const headers = {
          authorization: `Bearer ${json.access_token}`,
          "content-type": "application/json",
        };
        const ask = async (path: string, init: RequestInit = {}) => {
          const answer = await fetch(`${target.graph}/v1.0/${path}`, { headers, ...init });
          const text = await answer.text();
          return { status: answer.status, json: (text ? JSON.parse(text) : {}) as Loose };
        };
        const graph = (await ask("servicePrincipals(appId='00000003-0000-0000-c000-000000000000')"))
          .json;
        const own = (await ask(`servicePrincipals(appId='${target.daemon.id}')`)).json;
        const role = graph.appRoles.find((each: Loose) => each.value === "Directory.Read.All");
        const body = JSON.stringify({
          principalId: own.id,
          resourceId: graph.id,
          appRoleId: role.id,
        });
        const made = await ask(`servicePrincipals/${own.id}/appRoleAssignments`, {
          method: "POST",
          body,
        });
        expect(made.status).toBe(201);
        expect(
          (await ask(`servicePrincipals/${own.id}/appRoleAssignments`, { method: "POST", body }))
            .status,
        ).toBe(400);
        const claims = JSON.parse(
          Buffer.from(
            (await token(daemonForm())).json.access_token.split(".")[1],
            "base64url",
          ).toString(),
        );
        expect(claims.roles).toContain("Directory.Read.All");
        const gone = await ask(`servicePrincipals/${own.id}/appRoleAssignments/${made.json.id}`, {
          method: "DELETE",
        });
        expect(gone.status).toBe(204);
      });
    }
  });
}
