import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { installPackages } from "../test/servers/packages.ts";
import { createTenant } from "./index.ts";

const tenant = await createTenant({ tls: true });
const folder = mkdtempSync(join(tmpdir(), "tenant-identity-"));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await tenant.close();
});

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Node reads extra certificate authorities only when it starts, so the SDK runs in a separate process. */
async function runTrusting(script: string, cwd = ROOT): Promise<unknown> {
  const ca = join(folder, "ca.pem");
  writeFileSync(ca, tenant.ca!);
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    cwd,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: ca },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(await text(child.stdout));
}

it("ClientSecretCredential gets a token over https with the local authority trusted", async () => {
  const result = await runTrusting(
    `
    import { ClientSecretCredential } from "@azure/identity";
    const credential = new ClientSecretCredential(
      ${JSON.stringify(tenant.tenantId)}, ${JSON.stringify(tenant.clientId)}, ${JSON.stringify(tenant.clientSecret)},
      { authorityHost: ${JSON.stringify(tenant.addresses.entra)}, disableInstanceDiscovery: true },
    );
    const first = await credential.getToken("https://graph.microsoft.com/.default");
    const second = await credential.getToken("https://graph.microsoft.com/.default");
    console.log(JSON.stringify({ token: first.token, isCached: first.token === second.token }));
  `,
    await installPackages(),
  );
  const { token, isCached } = result as { token: string; isCached: boolean };
  expect(isCached).toBe(true);
  const caller = await tenant.context.authenticate(
    `Bearer ${token}`,
    "https://graph.microsoft.com",
  );
  expect(caller?.appId).toBe(tenant.clientId);
});

it("msal-node reads the tenant's own discovery document over https", async () => {
  const result = await runTrusting(`
    import { ConfidentialClientApplication } from "@azure/msal-node";
    const host = new URL(${JSON.stringify(tenant.addresses.entra)}).host;
    const client = new ConfidentialClientApplication({ auth: {
      clientId: ${JSON.stringify(tenant.clientId)}, clientSecret: ${JSON.stringify(tenant.clientSecret)},
      authority: "https://" + host + "/" + ${JSON.stringify(tenant.tenantId)}, knownAuthorities: [host],
    } });
    const answer = await client.acquireTokenByClientCredential({ scopes: ["https://graph.microsoft.com/.default"] });
    console.log(JSON.stringify({ token: answer.accessToken }));
  `);
  expect((result as { token: string }).token.split(".")).toHaveLength(3);
});
