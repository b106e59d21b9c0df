import { afterAll } from "vitest";
import { createTenant } from "../../tenant/index.ts";
import { testDriveUploads } from "./drives-upload.suite.ts";

const tenant = await createTenant({ serviceBus: false });
afterAll(() => tenant.close());

testDriveUploads("drives of the local tenant", async () => ({
  graph: tenant.addresses.graph,
  driveId: tenant.drives.admin.defaultContainerId,
  containerTypeId: tenant.drives.admin.containerTypeId,
  async token() {
    const answer = await fetch(`${tenant.addresses.entra}/${tenant.tenantId}/oauth2/v2.0/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: tenant.clientId,
        client_secret: tenant.clientSecret,
        scope: "https://graph.microsoft.com/.default",
      }),
    });
    return ((await answer.json()) as { access_token: string }).access_token;
  },
}));

// The same claims against a real container, which the run fills with small files.
const real = process.env;
if (real["TENANT_DRIVE_ID"]) {
  testDriveUploads("drives of a real tenant", async () => ({
    graph: "https://graph.microsoft.com",
    driveId: real["TENANT_DRIVE_ID"]!,
    containerTypeId: real["TENANT_CONTAINER_TYPE_ID"]!,
    token: async () => real["TENANT_GRAPH_TOKEN"]!,
  }));
}
