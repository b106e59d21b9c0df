import { afterAll } from "vitest";
import { createTenant } from "../../tenant/index.ts";
import { testEntra } from "./entra.suite.ts";

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
