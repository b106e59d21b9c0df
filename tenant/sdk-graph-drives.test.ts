import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { createTenant } from "./index.ts";

/** Microsoft's own Graph client, unmodified, with files of a container. */
const tenant = await createTenant({ tls: true, serviceBus: false });
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tenant-graph-drives-"));
writeFileSync(join(folder, "ca.pem"), tenant.ca!);
afterAll(async () => {
  await tenant.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The client runs in a separate process, because Node reads certificate authorities only at its start. */
async function runTrusting(script: string): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: ROOT,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") },
  });
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (out.trim() === "") throw new Error(error);
  return JSON.parse(out);
}

it("puts, lists, reads and walks files, and uploads a large one with its task", async () => {
  const drive = `/drives/${tenant.drives.admin.defaultContainerId}`;
  const result = await runTrusting(`
    import { Client, FileUpload, LargeFileUploadTask } from "@microsoft/microsoft-graph-client";
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: ${JSON.stringify(tenant.clientId)},
      client_secret: ${JSON.stringify(tenant.clientSecret)},
      scope: "https://graph.microsoft.com/.default",
    });
    const getAccessToken = async () => {
      const url = ${JSON.stringify(`${tenant.addresses.entra}/${tenant.tenantId}/oauth2/v2.0/token`)};
      return (await (await fetch(url, { method: "POST", body: form })).json()).access_token;
    };
    const client = Client.initWithMiddleware({
      baseUrl: ${JSON.stringify(tenant.addresses.graph)},
      customHosts: new Set(["localhost"]),
      authProvider: { getAccessToken },
    });
    const drive = ${JSON.stringify(drive)};
    const small = await client.api(drive + "/root:/notes/a b.txt:/content").put("hello");
    const stream = await client.api(drive + "/items/" + small.id + "/content").getStream();
    const content = await new Response(stream).text();
    const bytes = Buffer.alloc(1_000_000, 7);
    const session = await LargeFileUploadTask.createUploadSession(
      client,
      drive + "/root:/notes/large.bin:/createUploadSession",
      { item: { "@microsoft.graph.conflictBehavior": "rename" } },
    );
    const task = new LargeFileUploadTask(client, new FileUpload(bytes, "large.bin", bytes.length), session, {
      rangeSize: 327_680,
    });
    const { responseBody: large } = await task.upload();
    const children = await client.api(drive + "/root:/notes:/children").select("name,size").get();
    const delta = await client.api(drive + "/root/delta").get();
    console.log(JSON.stringify({
      content,
      large: { name: large.name, size: large.size },
      children: children.value,
      delta: delta.value.map(({ name }) => name),
    }));
  `);
  expect(result).toEqual({
    content: "hello",
    large: { name: "large.bin", size: 1_000_000 },
    children: [
      { name: "a b.txt", size: 5 },
      { name: "large.bin", size: 1_000_000 },
    ],
    delta: ["root", "notes", "a b.txt", "large.bin"],
  });
});
