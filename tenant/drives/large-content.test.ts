import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { createTenant, createTenantRequest } from "../index.ts";
import { LARGE_BYTES } from "./store/content.ts";
import { quickXorHash } from "./store/quick-xor.ts";

it("a large upload is kept on disk, read in ranges, copied, restored, and gone at the end", async () => {
  const tenant = await createTenant({ host: null, company: "none" });
  const drive = tenant.drives.admin.defaultContainerId;
  const token = tenant.tokenFor({});
  const ask = async (method: string, target: string, body?: Buffer, headers = {}) => {
    const isOwn = target.startsWith("http");
    const answer = await tenant.handle(
      createTenantRequest({
        method,
        target: isOwn ? new URL(target).pathname : `/v1.0/drives/${drive}/${target}`,
        headers: { ...(isOwn ? {} : { authorization: `Bearer ${token}` }), ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    );
    const text = answer.headers["content-type"]?.includes("json") ? answer.body.toString() : "";
    return { ...answer, json: text === "" ? {} : JSON.parse(text) };
  };
  const content = Buffer.alloc(LARGE_BYTES + 1000);
  for (let index = 0; index < content.length; index += 997) content[index] = index % 251;

  const session = (await ask("POST", "root:/large.bin:/createUploadSession")).json;
  const cut = 50 * 327_680;
  const send = (first: number, last: number) =>
    ask("PUT", session.uploadUrl, content.subarray(first, last), {
      "content-range": `bytes ${first}-${last - 1}/${content.length}`,
    });
  expect((await send(0, cut)).status).toBe(202);
  const made = await send(cut, content.length);
  expect([made.status, made.json.size]).toEqual([201, content.length]);
  expect(made.json.file.hashes.quickXorHash).toBe(quickXorHash(content));

  const version = tenant.drives.admin.containers()[0]!.drive.items.get(made.json.id)!.versions[0]!;
  const { path } = version.content as { path: string };
  expect(existsSync(path)).toBe(true);
  const link = (await ask("GET", `items/${made.json.id}/content`)).headers["location"]!;
  const range = await ask("GET", link, undefined, { range: `bytes=${cut - 5}-${cut + 4}` });
  expect([range.status, range.body.equals(content.subarray(cut - 5, cut + 5))]).toEqual([
    206,
    true,
  ]);
  expect((await ask("GET", link)).body.equals(content)).toBe(true);

  tenant.restore(tenant.snapshot());
  expect((await ask("GET", `items/${made.json.id}`)).json.size).toBe(content.length);
  await tenant.close();
  expect(existsSync(path)).toBe(false);
});
