import { createHash } from "node:crypto";
import { afterAll } from "vitest";
import { createTenant } from "../../tenant/index.ts";
import { testEntra } from "./entra.suite.ts";
import { testEntraClients } from "./entra-clients.suite.ts";
import { testEntraRefusals } from "./entra-refusals.suite.ts";

const tenant = await createTenant({ serviceBus: false });
afterAll(() => tenant.close());
const [daemon, api, page] = tenant.apps;
const user = tenant.users[1]!.userPrincipalName;
const userToken = async () =>
  tenant.tokenFor({ user, app: page!.appId, scope: `api://${api!.appId}/user_impersonation` });

testEntra(
  "Entra of the local tenant",
  async () => ({
    entra: tenant.addresses.entra,
    tenantId: tenant.tenantId,
    daemon: { id: daemon!.appId, secret: daemon!.secrets[0]! },
    api: { id: api!.appId, secret: api!.secrets[0]! },
    unconsentedScope: "https://graph.microsoft.com/Calendars.Read",
    userToken,
    async expiredUserToken() {
      tenant.switches.tokenLifetimeSeconds = -1;
      const token = await userToken();
      tenant.switches.tokenLifetimeSeconds = "random";
      return token;
    },
    async requireSecondFactor() {
      tenant.faults.arm({ kind: "interaction-required", where: { user, resource: "graph" } });
    },
    async rotateKeys() {
      await tenant.keys.rotate();
    },
  }),
  ["expired", "policy", "rotation"],
);

const verifier = "a".repeat(43);
// Another person than the one whom the cases above ask for a second factor.
const person = tenant.users[2]!;

testEntraRefusals("Entra of the local tenant", async () => ({
  entra: tenant.addresses.entra,
  graph: tenant.addresses.graph,
  tenantId: tenant.tenantId,
  daemon: { id: daemon!.appId, secret: daemon!.secrets[0]! },
  page: {
    clientId: page!.appId,
    redirectUri: page!.redirectUris[0]!,
    username: person.userPrincipalName,
    password: person.password,
  },
}));

testEntraClients(
  "clients of the local tenant",
  async () => ({
    entra: tenant.addresses.entra,
    graph: tenant.addresses.graph,
    tenantId: tenant.tenantId,
    daemon: { id: daemon!.appId, secret: daemon!.secrets[0]! },
    device: {
      clientId: page!.appId,
      scope: "https://graph.microsoft.com/User.Read openid offline_access",
      username: person.userPrincipalName,
      password: person.password,
    },
    consent: { clientId: page!.appId, redirectUri: page!.redirectUris[0]! },
    async pageCode() {
      const redirect_uri = page!.redirectUris[0]!;
      const answer = await fetch(
        `${tenant.addresses.entra}/${tenant.tenantId}/oauth2/v2.0/authorize`,
        {
          method: "POST",
          redirect: "manual",
          body: new URLSearchParams({
            client_id: page!.appId,
            response_type: "code",
            redirect_uri,
            scope: "openid User.Read",
            code_challenge: createHash("sha256").update(verifier).digest("base64url"),
            code_challenge_method: "S256",
            username: person.userPrincipalName,
            password: person.password,
          }),
        },
      );
      const code = new URL(answer.headers.get("location")!).searchParams.get("code")!;
      return {
        grant_type: "authorization_code",
        client_id: page!.appId,
        redirect_uri,
        code,
        code_verifier: verifier,
      };
    },
  }),
  ["page", "device", "consent", "assign"],
);

// The same claims against a real tenant: TENANT_ENTRA=https://login.microsoftonline.com and the rest.
const real = process.env;
if (real["TENANT_ENTRA"]) {
  testEntra(
    "Entra of a real tenant",
    async () => ({
      entra: real["TENANT_ENTRA"]!,
      tenantId: real["TENANT_ID"]!,
      daemon: { id: real["TENANT_DAEMON_ID"]!, secret: real["TENANT_DAEMON_SECRET"]! },
      api: { id: real["TENANT_API_ID"]!, secret: real["TENANT_API_SECRET"]! },
      unconsentedScope:
        real["TENANT_UNCONSENTED_SCOPE"] ?? "https://graph.microsoft.com/Calendars.Read",
      userToken: async () => real["TENANT_USER_TOKEN"]!,
    }),
    [],
  );
}
