import { afterAll } from "vitest";
import { createTenant } from "../../tenant/index.ts";
import { testContainers } from "./drives-containers.suite.ts";
import { testDriveItems } from "./drives-items.suite.ts";
import { testDriveUploads } from "./drives-upload.suite.ts";

const tenant = await createTenant({ serviceBus: false });
afterAll(() => tenant.close());

const token = async () => {
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
};

testDriveUploads("drives of the local tenant", async () => ({
  graph: tenant.addresses.graph,
  driveId: tenant.drives.admin.defaultContainerId,
  containerTypeId: tenant.drives.admin.containerTypeId,
  token,
}));

testContainers("drives of the local tenant", async () => ({
  graph: tenant.addresses.graph,
  containerTypeId: tenant.drives.admin.containerTypeId,
  person: tenant.users[1]!.userPrincipalName,
  token,
}));

testDriveItems("drives of the local tenant", async () => {
  const container = tenant.drives.admin.createContainer({
    members: [{ userId: tenant.users[0]!.id, role: "owner" }],
  });
  const { quotaBytes } = container;
  const guest = tenant.users[1]!;
  return {
    graph: tenant.addresses.graph,
    driveId: container.id,
    token,
    guest: {
      mail: guest.mail,
      token: async () =>
        tenant.tokenFor({
          user: guest.userPrincipalName,
          scope: "https://graph.microsoft.com/.default",
        }),
    },
    async limitTo(bytes) {
      container.quotaBytes = bytes ?? quotaBytes;
    },
  };
}, ["guest", "quota"]);

// The same claims against a real container, which the run fills with small files.
const real = process.env;
if (real["TENANT_DRIVE_ID"]) {
  testDriveUploads("drives of a real tenant", async () => ({
    graph: "https://graph.microsoft.com",
    driveId: real["TENANT_DRIVE_ID"]!,
    containerTypeId: real["TENANT_CONTAINER_TYPE_ID"]!,
    token: async () => real["TENANT_GRAPH_TOKEN"]!,
  }));
  testContainers("drives of a real tenant", async () => ({
    graph: "https://graph.microsoft.com",
    containerTypeId: real["TENANT_CONTAINER_TYPE_ID"]!,
    person: real["TENANT_USER_NAME"]!,
    token: async () => real["TENANT_GRAPH_TOKEN"]!,
  }));
  testDriveItems(
    "drives of a real tenant",
    async () => ({
      graph: "https://graph.microsoft.com",
      driveId: real["TENANT_DRIVE_ID"]!,
      token: async () => real["TENANT_GRAPH_TOKEN"]!,
    }),
    [],
  );
}
