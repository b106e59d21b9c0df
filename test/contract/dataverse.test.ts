import { afterAll } from "vitest";
import { createTenant } from "../../tenant/index.ts";
import { testDataverse } from "./dataverse.suite.ts";
import { testDataverseBatches } from "./dataverse-batch.suite.ts";
import type { DataverseTarget } from "./dataverse-client.ts";
import { testDataverseLinks } from "./dataverse-links.suite.ts";
import { testDataversePages } from "./dataverse-pages.suite.ts";
import { testDataverseQueries } from "./dataverse-query.suite.ts";
import { testDataverseWrites } from "./dataverse-writes.suite.ts";

const tenant = await createTenant({ serviceBus: false });
afterAll(() => tenant.close());

const local = async (): Promise<DataverseTarget> => ({
  url: tenant.addresses.dataverse,
  userObjectId: tenant.users[1]!.id,
  async token() {
    const answer = await fetch(`${tenant.addresses.entra}/${tenant.tenantId}/oauth2/v2.0/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: tenant.clientId,
        client_secret: tenant.clientSecret,
        scope: `${tenant.addresses.dataverse}/.default`,
      }),
    });
    return ((await answer.json()) as { access_token: string }).access_token;
  },
  exceed: (limit) =>
    void tenant.faults.arm({ kind: "service-protection", remaining: 1, options: { limit } }),
});

testDataverse("Dataverse of the local tenant", local, ["limits"]);
testDataverseQueries("Dataverse of the local tenant", local);
testDataversePages("Dataverse of the local tenant", local);
testDataverseBatches("Dataverse of the local tenant", local);
testDataverseWrites("Dataverse of the local tenant", local);
testDataverseLinks("Dataverse of the local tenant", local);

// The same claims against a real environment that has the documents solution.
const real = process.env;
if (real["TENANT_DATAVERSE"]) {
  const name = "Dataverse of a real environment";
  const open = async (): Promise<DataverseTarget> => ({
    url: real["TENANT_DATAVERSE"]!,
    userObjectId: real["TENANT_USER_OBJECT_ID"]!,
    token: async () => real["TENANT_DATAVERSE_TOKEN"]!,
  });
  testDataverse(name, open, []);
  testDataverseQueries(name, open);
  testDataversePages(name, open);
  testDataverseBatches(name, open);
  testDataverseWrites(name, open);
  testDataverseLinks(name, open);
}
