import { X509Certificate } from "node:crypto";
import {
  ConfidentialClientApplication,
  InteractionRequiredAuthError,
  ServerError,
} from "@azure/msal-node";
import { generate } from "selfsigned";
import { afterAll, beforeEach, expect, it } from "vitest";
import { type AppRegistration, createTenant } from "./index.ts";

const GRAPH = "https://graph.microsoft.com/.default";
const tenant = await createTenant({ switches: { journalRequests: true }, serviceBus: false });
afterAll(() => tenant.close());
beforeEach(() => {
  tenant.journal.clear();
  tenant.faults.disarm();
});

const [daemon, api, page] = tenant.apps as [AppRegistration, AppRegistration, AppRegistration];

/** Microsoft's client with its own authority name; only the endpoints point at the tenant. */
function createClient(app: {
  appId: string;
  secret?: string;
  certificate?: { pem: string; key: string };
}) {
  const base = `${tenant.addresses.entra}/${tenant.tenantId}`;
  return new ConfidentialClientApplication({
    auth: {
      clientId: app.appId,
      authority: `https://login.microsoftonline.com/${tenant.tenantId}`,
      authorityMetadata: JSON.stringify({
        authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
        token_endpoint: `${base}/oauth2/v2.0/token`,
        issuer: `https://login.microsoftonline.com/${tenant.tenantId}/v2.0`,
        jwks_uri: `${base}/discovery/v2.0/keys`,
      }),
      ...(app.certificate
        ? {
            clientCertificate: {
              thumbprintSha256: new X509Certificate(app.certificate.pem).fingerprint256.replaceAll(
                ":",
                "",
              ),
              privateKey: app.certificate.key,
            },
          }
        : { clientSecret: app.secret ?? "" }),
    },
  });
}

const tokenRequests = () =>
  tenant.journal.entries().filter((entry) => entry.kind === "request").length;
const userToken = () =>
  tenant.tokenFor({
    user: tenant.users[1]!.userPrincipalName,
    app: page.appId,
    scope: `api://${api.appId}/user_impersonation`,
  });

it("client credentials give a token, and the second one comes from MSAL's cache", async () => {
  const client = createClient({ appId: daemon.appId, secret: daemon.secrets[0]! });
  const first = await client.acquireTokenByClientCredential({ scopes: [GRAPH] });
  const second = await client.acquireTokenByClientCredential({ scopes: [GRAPH] });
  expect(first?.fromCache).toBe(false);
  expect(second).toMatchObject({ fromCache: true, accessToken: first?.accessToken });
  expect(tokenRequests()).toBe(1);
  const caller = await tenant.context.authenticate(
    `Bearer ${first?.accessToken}`,
    "https://graph.microsoft.com",
  );
  expect(caller?.roles.has("Mail.Read")).toBe(true);
});

it("client credentials work with a certificate, and fail with one that is not registered", async () => {
  const made = await generate([{ name: "commonName", value: "daemon" }], { algorithm: "sha256" });
  const certificate = { pem: made.cert, key: made.private };
  const refused = createClient({ appId: daemon.appId, certificate });
  await expect(refused.acquireTokenByClientCredential({ scopes: [GRAPH] })).rejects.toMatchObject({
    errorNo: 700027,
  });
  daemon.certificates!.push(made.cert);
  const client = createClient({ appId: daemon.appId, certificate });
  const answer = await client.acquireTokenByClientCredential({ scopes: [GRAPH] });
  const claims = JSON.parse(
    Buffer.from(answer!.accessToken.split(".")[1]!, "base64url").toString(),
  );
  expect(claims.appidacr).toBe("2");
});

it("on-behalf-of gives the user's Graph token, and the second one comes from MSAL's cache", async () => {
  const client = createClient({ appId: api.appId, secret: api.secrets[0]! });
  const request = { oboAssertion: userToken(), scopes: [GRAPH] };
  const first = await client.acquireTokenOnBehalfOf(request);
  const second = await client.acquireTokenOnBehalfOf(request);
  expect(second).toMatchObject({ fromCache: true, accessToken: first?.accessToken });
  expect(tokenRequests()).toBe(1);
  expect(first?.account?.homeAccountId).toBe(`${tenant.users[1]!.id}.${tenant.tenantId}`);
  const caller = await tenant.context.authenticate(
    `Bearer ${first?.accessToken}`,
    "https://graph.microsoft.com",
  );
  expect(caller).toMatchObject({
    isAppOnly: false,
    objectId: tenant.users[1]!.id,
    appId: api.appId,
  });
  expect(caller?.scopes.has("Mail.Read")).toBe(true);
});

it("a conditional-access policy surfaces as InteractionRequiredAuthError with its claims", async () => {
  const user = tenant.users[1]!.userPrincipalName;
  tenant.faults.arm({ kind: "interaction-required", where: { user, resource: "graph" } });
  const client = createClient({ appId: api.appId, secret: api.secrets[0]! });
  const error = await client
    .acquireTokenOnBehalfOf({ oboAssertion: userToken(), scopes: [GRAPH] })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InteractionRequiredAuthError);
  expect(JSON.parse((error as InteractionRequiredAuthError).claims)).toHaveProperty(
    "access_token.capolids",
  );
});

it("missing consent is an InteractionRequiredAuthError, everything else a ServerError", async () => {
  const client = createClient({ appId: api.appId, secret: api.secrets[0]! });
  const consent = client.acquireTokenOnBehalfOf({
    oboAssertion: userToken(),
    scopes: ["https://graph.microsoft.com/Calendars.Read"],
  });
  await expect(consent).rejects.toBeInstanceOf(InteractionRequiredAuthError);
  const wrong = createClient({ appId: daemon.appId, secret: "not-the-secret" });
  const refused = await wrong
    .acquireTokenByClientCredential({ scopes: [GRAPH] })
    .catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(ServerError);
  expect(refused).toMatchObject({ errorCode: "invalid_client", errorNo: 7000215 });
});

it("a throttled tenant surfaces as a ServerError at once", async () => {
  tenant.faults.arm({ kind: "throttle", where: { part: "entra" }, remaining: 1 });
  const client = createClient({ appId: daemon.appId, secret: daemon.secrets[0]! });
  const error = await client
    .acquireTokenByClientCredential({ scopes: [GRAPH] })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ServerError);
  expect(error).toMatchObject({ errorNo: 90055 });
});
