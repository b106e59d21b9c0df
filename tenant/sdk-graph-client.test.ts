import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import {
  BatchRequestContent,
  BatchResponseContent,
  Client,
  type GraphError,
  PageIterator,
  ResponseType,
} from "@microsoft/microsoft-graph-client";
import { Agent } from "undici";
import { afterAll, describe, expect, it } from "vitest";
import { createTenant } from "./index.ts";

/** Microsoft's own Graph client, unmodified, over https with the tenant's certificate. */
const tenant = await createTenant({ tls: true, serviceBus: false });
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const dispatcher = new Agent({ connect: { ca: tenant.ca! } });
afterAll(async () => {
  await tenant.close();
  await dispatcher.close();
});

const client = Client.initWithMiddleware({
  baseUrl: tenant.addresses.graph,
  customHosts: new Set(["localhost"]),
  authProvider: { getAccessToken: askToken },
  fetchOptions: { dispatcher } as object,
});
const user = tenant.users[1]!;
const messages = `/users/${user.id}/messages`;

async function askToken(): Promise<string> {
  const answer = await fetch(`${tenant.addresses.entra}/${tenant.tenantId}/oauth2/v2.0/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: tenant.clientId,
      client_secret: tenant.clientSecret,
      scope: "https://graph.microsoft.com/.default",
    }),
    dispatcher,
  } as object);
  return ((await answer.json()) as { access_token: string }).access_token;
}

/**
 * The upload task sets its own Content-Length, which Node's fetch allows only through its own connections;
 * and these read certificate authorities only when the process starts.
 */
async function runTrusting(script: string): Promise<{ location: string }> {
  const folder = mkdtempSync(join(tmpdir(), "tenant-graph-client-"));
  try {
    writeFileSync(join(folder, "ca.pem"), tenant.ca!);
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: ROOT,
      env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") },
      stdio: ["ignore", "pipe", "inherit"],
    });
    return JSON.parse(await text(child.stdout));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("@microsoft/microsoft-graph-client against the tenant", () => {
  it("reads, changes, moves and deletes mail", async () => {
    const [mail] = await tenant.graph.admin.sendMail({ to: user.id, subject: "By the SDK" });
    const read = await client.api(`${messages}/${mail!.id}`).select(["subject", "isRead"]).get();
    expect(read).toMatchObject({ subject: "By the SDK", isRead: false });
    const patched = await client.api(`${messages}/${mail!.id}`).patch({ isRead: true });
    expect(patched.isRead).toBe(true);
    const moved = await client
      .api(`${messages}/${mail!.id}/move`)
      .header("Prefer", 'IdType="ImmutableId"')
      .post({ destinationId: "archive" });
    expect(moved.id).toBe(mail!.immutableId);
    const gone = await client
      .api(`${messages}/${mail!.id}`)
      .get()
      .catch((error: GraphError) => error);
    expect(gone).toMatchObject({ statusCode: 404, code: "ErrorItemNotFound" });
    await client.api(`${messages}/${mail!.immutableId}`).delete();
    const truth = tenant.graph.admin.mailboxTruth(user.id);
    expect(truth.find((each) => each.immutableId === mail!.immutableId)?.folder).toBe(
      "recoverableitemsdeletions",
    );
  });

  it("pages to the end with its iterator", async () => {
    const other = tenant.users[2]!;
    for (let index = 0; index < 25; index++) {
      await tenant.graph.admin.sendMail({ to: other.id, subject: `page ${index}` });
    }
    const first = await client.api(`/users/${other.id}/mailFolders/inbox/messages`).get();
    const subjects: string[] = [];
    const iterator = new PageIterator(client, first, (each: { subject: string }) => {
      subjects.push(each.subject);
      return true;
    });
    await iterator.iterate();
    expect(new Set(subjects).size).toBe(25);
  });

  it("walks delta with its iterator and keeps the deltaLink", async () => {
    const other = tenant.users[2]!;
    const path = `/users/${other.id}/mailFolders/inbox/messages/delta`;
    let count = 0;
    const iterator = new PageIterator(client, await client.api(path).get(), () => {
      count += 1;
      return true;
    });
    await iterator.iterate();
    expect(count).toBe(25);
    expect(iterator.getDeltaLink()).toContain("$deltatoken=");
  });

  it("sends batches with its own content classes", async () => {
    const step = (id: string, path: string, dependsOn?: string[]) => ({
      id,
      request: new Request(`${tenant.origin}${path}`, { method: "GET" }),
      ...(dependsOn ? { dependsOn } : {}),
    });
    const content = new BatchRequestContent([
      step("1", `/users/${user.id}/mailFolders/inbox`),
      step("2", `/users/${user.id}/mailFolders/archive`, ["1"]),
      step("3", `${messages}/nonsense`, ["2"]),
    ]);
    const answer = new BatchResponseContent(
      await client.api("/$batch").post(await content.getContent()),
    );
    expect(answer.getResponseById("1").status).toBe(200);
    expect(await answer.getResponseById("2").json()).toMatchObject({ displayName: "Archive" });
    expect(answer.getResponseById("3").status).toBe(400);
  });

  it("uploads a large attachment with its upload task", async () => {
    const draft = await client.api(messages).post({ subject: "with a large file" });
    const { location } = await runTrusting(`
      import { Client, FileUpload, LargeFileUploadTask } from "@microsoft/microsoft-graph-client";
      const client = Client.initWithMiddleware({
        baseUrl: ${JSON.stringify(tenant.addresses.graph)},
        customHosts: new Set(["localhost"]),
        authProvider: { getAccessToken: async () => ${JSON.stringify(await askToken())} },
      });
      const bytes = Buffer.alloc(5 * 1024 * 1024, 7);
      const session = await LargeFileUploadTask.createUploadSession(
        client,
        ${JSON.stringify(`${messages}/${draft.id}/attachments/createUploadSession`)},
        { AttachmentItem: { attachmentType: "file", name: "large.bin", size: bytes.length } },
      );
      const file = new FileUpload(bytes, "large.bin", bytes.length);
      const task = new LargeFileUploadTask(client, file, session, { rangeSize: 2 * 1024 * 1024 });
      const result = await task.upload();
      console.log(JSON.stringify({ location: result.location }));
    `);
    expect(location).toMatch(/\/attachments\('.+'\)$/);
    const list = await client.api(`${messages}/${draft.id}/attachments`).select("id,name").get();
    expect(list.value).toMatchObject([{ name: "large.bin" }]);
    const bytes = await client
      .api(`${messages}/${draft.id}/attachments/${list.value[0].id}/$value`)
      .responseType(ResponseType.ARRAYBUFFER)
      .get();
    expect(Buffer.from(bytes).equals(Buffer.alloc(5 * 1024 * 1024, 7))).toBe(true);
  });

  it("waits out a 429 by its Retry-After and tries again", async () => {
    tenant.faults.arm({
      kind: "throttle",
      remaining: 1,
      where: { method: "GET" },
      options: { retryAfterSeconds: 1 },
    });
    const inbox = await client.api(`/users/${user.id}/mailFolders/inbox`).get();
    expect(inbox.displayName).toBe("Inbox");
    expect(tenant.journal.entries().some((each) => each.kind === "fault.injected")).toBe(true);
  });
});
