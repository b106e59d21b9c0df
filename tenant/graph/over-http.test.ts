import { constants, privateDecrypt } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { generate } from "selfsigned";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTenant } from "../index.ts";
import type { Loose } from "./testing/graph-bench.ts";

/** The tenant in real time over loopback, with a receiver on its own socket. */
const tenant = await createTenant({
  company: "none",
  serviceBus: false,
  switches: { retryFirstDelayMs: 20, duplicateSubscription: "coexist" },
});
const user = tenant.users[1]!;
const token = tenant.tokenFor({});
const posts: Loose[] = [];
let statuses: number[] = [];

const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url!, "http://127.0.0.1");
  const handshake = url.searchParams.get("validationToken");
  if (handshake !== null) {
    response.writeHead(200, { "content-type": "text/plain" }).end(handshake);
    return;
  }
  posts.push(JSON.parse(Buffer.concat(chunks).toString()));
  response.writeHead(statuses.shift() ?? 202).end();
});

beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve)));
beforeEach(() => {
  posts.length = 0;
  statuses = [];
});
afterAll(async () => {
  await tenant.close();
  receiver.closeAllConnections();
  receiver.close();
});

const hook = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
const ask = async (path: string, method = "GET", body?: object) => {
  const answer = await fetch(`${tenant.origin}/v1.0${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, json: (text === "" ? null : JSON.parse(text)) as Loose };
};
const subscribe = (more: object = {}) =>
  ask("/subscriptions", "POST", {
    changeType: "created",
    notificationUrl: hook(),
    resource: `users/${user.id}/messages`,
    expirationDateTime: new Date(Date.now() + 3_600_000).toISOString(),
    clientState: "secret",
    ...more,
  });
const arrived = (count: number) => expect.poll(() => posts.length).toBe(count);
const unsubscribe = (id: string) => ask(`/subscriptions/${id}`, "DELETE");

describe("Graph on the wire", () => {
  it("performs the handshake, notifies mail, and repeats what was not accepted", async () => {
    const made = await subscribe();
    expect(made.status).toBe(201);
    statuses = [503, 500];
    const [mail] = await tenant.graph.admin.sendMail({ to: user.id, subject: "wire" });
    await arrived(3);
    expect(posts.map((each) => each.value[0].resourceData.id)).toEqual(Array(3).fill(mail!.id));
    const read = await ask(`/users/${user.id}/messages/${mail!.id}?$select=subject`);
    expect(read.json.subject).toBe("wire");
    await unsubscribe(made.json.id);
  });

  it("refuses a subscription to an address where nobody listens", async () => {
    const refused = await subscribe({ notificationUrl: "http://127.0.0.1:9/hook" });
    expect([refused.status, refused.json.error.code]).toEqual([400, "ValidationError"]);
  });

  it("rich notifications carry a token signed by Entra for the app, and open with the key", async () => {
    const certificate = await generate([{ name: "commonName", value: "test" }], { keySize: 2048 });
    const made = await subscribe({
      resource: `users/${user.id}/messages?$select=subject`,
      includeResourceData: true,
      encryptionCertificate: certificate.cert.replace(/-----[^-]+-----|\s/g, ""),
      encryptionCertificateId: "one",
    });
    expect(made.status).toBe(201);
    await tenant.graph.admin.sendMail({ to: user.id, subject: "rich" });
    await arrived(1);
    const [post] = posts;
    const keys = createRemoteJWKSet(new URL(`${tenant.origin}/common/discovery/v2.0/keys`));
    const { payload } = await jwtVerify(post.validationTokens[0], keys, {
      audience: tenant.clientId,
    });
    expect(payload["azp"] ?? payload["appid"]).toBe("0bf30f3b-4a52-48df-9a82-234910c4a086");
    const { dataKey } = post.value[0].encryptedContent;
    const key = privateDecrypt(
      { key: certificate.private, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" },
      Buffer.from(dataKey, "base64"),
    );
    expect(key).toHaveLength(32);
    await unsubscribe(made.json.id);
  });

  it("a batch reaches drives as well, and faults hit its members one by one", async () => {
    tenant.faults.arm({
      kind: "throttle",
      remaining: 1,
      where: { path: `/v1.0/users/${user.id}/mailFolders/inbox` },
      options: { retryAfterSeconds: 3 },
    });
    const { json } = await ask("/$batch", "POST", {
      requests: [
        { id: "1", method: "GET", url: `/users/${user.id}/mailFolders/inbox` },
        { id: "2", method: "GET", url: `/users/${user.id}/mailFolders/archive` },
        { id: "3", method: "GET", url: `/drives/${tenant.drives.admin.defaultContainerId}/root` },
      ],
    });
    const byId = new Map<string, Loose>(json.responses.map((each: Loose) => [each.id, each]));
    expect([byId.get("1").status, byId.get("1").headers["Retry-After"]]).toEqual([429, "3"]);
    expect([byId.get("2").status, byId.get("3").status]).toEqual([200, 200]);
  });

  it("a change in a drive notifies its subscribers", async () => {
    const driveId = tenant.drives.admin.defaultContainerId;
    const made = await subscribe({ resource: `/drives/${driveId}/root`, changeType: "updated" });
    expect(made.status).toBe(201);
    tenant.graph.admin.driveChanged(driveId);
    await arrived(1);
    expect(posts[0].value[0]).toMatchObject({
      changeType: "updated",
      resource: `drives/${driveId}/root`,
    });
    await unsubscribe(made.json.id);
  });
});
