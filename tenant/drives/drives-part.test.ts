import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestContext, tokenFor } from "../../test/helpers/tenant-context.ts";
import type { TenantContext } from "../context.ts";
import { createTenantRequest, type TenantResponse } from "../http.ts";
import { createDrivesPart, type DrivesPart } from "./drives-part.ts";

const USER = { id: "user-1", displayName: "Ada", mail: "ada@x", userPrincipalName: "ada@x" };
const PERMISSION = "FileStorageContainer.Selected";
const APP = tokenFor({ appId: "app", objectId: "app-object", roles: [PERMISSION] });
const ADA = tokenFor({ appId: "app", objectId: USER.id, isAppOnly: false, scopes: [PERMISSION] });
const HOUR_MS = 3_600_000;

let context: TenantContext;
let part: DrivesPart;
let drive: string;

beforeEach(() => {
  context = createTestContext({ clock: "virtual" });
  context.users.push(USER as never);
  context.apps.push({
    appId: "app",
    servicePrincipalId: "app-object",
    displayName: "App",
  } as never);
  part = createDrivesPart(context);
  drive = `/v1.0/drives/${part.admin.defaultContainerId}`;
});
afterEach(() => context.clock.stop());

interface Ask {
  method?: string;
  token?: string | null;
  headers?: Record<string, string>;
  body?: string | Buffer | object;
}

async function ask(target: string, { method = "GET", token = APP, headers = {}, body }: Ask = {}) {
  const answer = (await part.handle(
    createTenantRequest({
      method,
      target: target.replace(/^https?:\/\/[^/]+/, ""),
      headers: token === null ? headers : { authorization: token, ...headers },
      body: typeof body === "object" && !Buffer.isBuffer(body) ? JSON.stringify(body) : body,
    }),
  )) as TenantResponse;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  return { ...answer, headers: answer.headers ?? {}, json: answer.body as any };
}

const put = (path: string, body: string, more: Ask = {}) =>
  ask(`${drive}/root:/${path}:/content`, { method: "PUT", body, ...more });

it("a file put by path creates its folders and can be read back through a link", async () => {
  const made = await put("emails/2026/a%23b%20c.eml", "hello");
  expect(made.status).toBe(201);
  expect(made.json).toMatchObject({
    name: "a#b c.eml",
    size: 5,
    file: { mimeType: "message/rfc822" },
    parentReference: { path: `/drives/${part.admin.defaultContainerId}/root:/emails/2026` },
  });
  const content = await ask(`${drive}/items/${made.json.id}/content`);
  expect(content.status).toBe(302);
  const file = await ask(content.headers["location"]!, { token: null });
  expect(file.status).toBe(200);
  expect(String(file.body)).toBe("hello");
  const range = await ask(content.headers["location"]!, {
    token: null,
    headers: { range: "bytes=1-3" },
  });
  expect([range.status, String(range.body), range.headers["content-range"]]).toEqual([
    206,
    "ell",
    "bytes 1-3/5",
  ]);
  const same = await ask(`${drive}/items/${made.json.id}/content`, {
    headers: { "if-none-match": made.json.eTag },
  });
  expect(same.status).toBe(304);
});

it("a download link expires", async () => {
  const made = await put("a.txt", "x");
  const { headers } = await ask(`${drive}/items/${made.json.id}/content`);
  await context.clock.advance(2 * HOUR_MS);
  expect((await ask(headers["location"]!, { token: null })).status).toBe(404);
});

it("a second PUT creates a new version, a renamed copy or a conflict, as requested", async () => {
  await put("a.pdf", "one");
  const replaced = await put("a.pdf", "two");
  expect(replaced.status).toBe(200);
  const conflict = "?@microsoft.graph.conflictBehavior=";
  const path = `${drive}/root:/A.pdf:/content${conflict}`;
  const renamed = await ask(`${path}rename`, { method: "PUT", body: "three" });
  expect([renamed.status, renamed.json.name]).toEqual([201, "A 1.pdf"]);
  const failed = await ask(`${path}fail`, { method: "PUT", body: "four" });
  expect([failed.status, failed.json.error.code]).toEqual([409, "nameAlreadyExists"]);
  const versions = await ask(`${drive}/items/${replaced.json.id}/versions`);
  expect(
    versions.json.value.map(({ id, size }: { id: string; size: number }) => [id, size]),
  ).toEqual([
    ["2.0", 3],
    ["1.0", 3],
  ]);
  const old = await ask(`${drive}/items/${replaced.json.id}/versions/1.0/content`);
  expect(String((await ask(old.headers["location"]!, { token: null })).body)).toBe("one");
});

it("eTag changes with everything, cTag with the content only, and a stale one is refused", async () => {
  const made = await put("a.txt", "one");
  const renamed = await ask(`${drive}/items/${made.json.id}`, {
    method: "PATCH",
    body: { name: "b.txt" },
    headers: { "if-match": made.json.eTag },
  });
  expect(renamed.status).toBe(200);
  expect(renamed.json.cTag).toBe(made.json.cTag);
  expect(renamed.json.eTag).not.toBe(made.json.eTag);
  const stale = { headers: { "if-match": made.json.eTag } };
  expect((await ask(`${drive}/items/${made.json.id}`, { method: "DELETE", ...stale })).status).toBe(
    412,
  );
  const changed = await put("b.txt", "two");
  expect(changed.json.cTag).not.toBe(made.json.cTag);
});

it("children come in pages, and a moved or deleted item is found where it belongs", async () => {
  for (const name of ["a.txt", "b.txt", "c.txt"]) await put(name, name);
  const folder = await ask(`${drive}/root/children`, {
    method: "POST",
    body: { name: "Box", folder: {}, "@microsoft.graph.conflictBehavior": "fail" },
  });
  expect(folder.status).toBe(201);
  const first = await ask(`${drive}/root/children?$top=2&$select=name`);
  expect(first.json.value).toEqual([{ name: "a.txt" }, { name: "b.txt" }]);
  const second = await ask(first.json["@odata.nextLink"]);
  expect(second.json.value.map(({ name }: { name: string }) => name)).toEqual(
    ["Box", "c.txt"].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
  );
  const item = (await ask(`${drive}/root:/a.txt`)).json;
  await ask(`${drive}/items/${item.id}`, {
    method: "PATCH",
    body: { parentReference: { id: folder.json.id } },
  });
  expect((await ask(`${drive}/root:/box/A.TXT`)).json.id).toBe(item.id);
  const back = { parentReference: { path: "/drive/root:" }, name: "moved.txt" };
  await ask(`${drive}/items/${item.id}`, { method: "PATCH", body: back });
  expect((await ask(`${drive}/root:/moved.txt`)).json.id).toBe(item.id);
  const path = `/drives/${part.admin.defaultContainerId}/root:/box`;
  await ask(`${drive}/items/${item.id}`, { method: "PATCH", body: { parentReference: { path } } });
  expect((await ask(`${drive}/root:/Box:`, { method: "DELETE" })).status).toBe(204);
  expect((await ask(`${drive}/items/${item.id}`)).status).toBe(404);
});

it("delta gives everything, then only changes, with deletions as a facet, and 410 on demand", async () => {
  await put("a.txt", "a");
  const b = await put("b.txt", "b");
  const all = await ask(`${drive}/root/delta`);
  expect(all.json.value.map(({ name }: { name: string }) => name)).toEqual([
    "root",
    "a.txt",
    "b.txt",
  ]);
  await put("a.txt", "changed");
  await ask(`${drive}/items/${b.json.id}`, { method: "DELETE" });
  const changes = await ask(all.json["@odata.deltaLink"]);
  expect(changes.json.value).toMatchObject([
    { name: "a.txt", size: 7 },
    { id: b.json.id, deleted: { state: "deleted" } },
  ]);
  const none = await ask(changes.json["@odata.deltaLink"]);
  expect(none.json.value).toEqual([]);
  const latest = await ask(`${drive}/root/delta?token=latest`);
  expect(latest.json.value).toEqual([]);
  context.faults.arm({ kind: "expire-delta", remaining: 1 });
  const gone = await ask(none.json["@odata.deltaLink"]);
  expect([gone.status, gone.json.error.code]).toEqual([410, "resyncChangesApplyDifferences"]);
  expect(gone.headers["location"]).toContain("/root/delta");
});

it("delta pages have the size that the switch sets", async () => {
  context.switches["driveDeltaPageSize"] = 2;
  for (const name of ["a", "b", "c"]) await put(`${name}.txt`, name);
  const names: string[] = [];
  let link: string | undefined = `${drive}/root/delta`;
  while (link !== undefined) {
    const page = await ask(link);
    names.push(...page.json.value.map(({ name }: { name: string }) => name));
    link = page.json["@odata.nextLink"];
  }
  expect(names).toEqual(["root", "a.txt", "b.txt", "c.txt"]);
});

it("a checked-out file cannot be written by others", async () => {
  const made = await put("a.docx", "one", { token: ADA });
  expect(
    (await ask(`${drive}/items/${made.json.id}/checkout`, { method: "POST", token: ADA })).status,
  ).toBe(204);
  expect((await put("a.docx", "two")).status).toBe(423);
  expect((await put("a.docx", "two", { token: ADA })).status).toBe(200);
  const checkin = { method: "POST", token: ADA, body: { comment: "done" } };
  expect((await ask(`${drive}/items/${made.json.id}/checkin`, checkin)).status).toBe(204);
  expect((await put("a.docx", "three")).status).toBe(200);
});

it("a preview link opens the file without a token, even with the banner hidden", async () => {
  const made = await put("a.pdf", "%PDF");
  const { json } = await ask(`${drive}/items/${made.json.id}/preview`, {
    method: "POST",
    body: {},
  });
  const shown = await ask(`${json.getUrl}&nb=true`, { token: null });
  expect([shown.status, shown.headers["content-disposition"]]).toEqual([200, "inline"]);
});

it("a container starts inactive, is activated explicitly or by a write, or is deleted after a day", async () => {
  const containers = "/v1.0/storage/fileStorage/containers";
  const create = () =>
    ask(containers, {
      method: "POST",
      body: { displayName: "Matter", containerTypeId: part.admin.containerTypeId },
    });
  const [byHand, byWrite, forgotten] = [await create(), await create(), await create()];
  expect([byHand.status, byHand.json.status]).toEqual([201, "inactive"]);
  expect(byHand.json.id).toMatch(/^b!/);
  expect((await ask(`${containers}/${byHand.json.id}/activate`, { method: "POST" })).status).toBe(
    204,
  );
  await ask(`/v1.0/drives/${byWrite.json.id}/root:/a.txt:/content`, { method: "PUT", body: "x" });
  await context.clock.advance(25 * HOUR_MS);
  const filter = `?$filter=containerTypeId eq ${part.admin.containerTypeId}`;
  const listed = await ask(`${containers}${encodeURI(filter)}`);
  const ids = listed.json.value.map(({ id }: { id: string }) => id);
  expect(ids).toEqual([part.admin.defaultContainerId, byHand.json.id, byWrite.json.id]);
  expect(ids).not.toContain(forgotten.json.id);
  expect((await ask(containers)).status).toBe(400);
});

it("each of the three layers can refuse", async () => {
  expect((await ask(drive, { token: null })).status).toBe(401);
  expect(
    (await ask(drive, { token: tokenFor({ appId: "app", roles: ["Files.ReadWrite.All"] }) }))
      .status,
  ).toBe(403);
  const stranger = tokenFor({ appId: "stranger", roles: [PERMISSION] });
  expect((await ask(drive, { token: stranger })).status).toBe(403);
  part.admin.register({
    containerTypeId: part.admin.containerTypeId,
    appId: "stranger",
    delegated: [],
    appOnly: ["readContent"],
  });
  expect((await ask(drive, { token: stranger })).status).toBe(200);
  expect((await put("a.txt", "x", { token: stranger })).status).toBe(403);
  const outsider = tokenFor({
    appId: "app",
    objectId: "nobody",
    isAppOnly: false,
    scopes: [PERMISSION],
  });
  expect((await ask(drive, { token: outsider })).status).toBe(403);
  expect((await ask(drive, { token: ADA })).status).toBe(200);
});

it("resource units run out by the minute, with Retry-After and rate-limit headers", async () => {
  context.switches.throttling = true;
  context.switches["driveUnitsPerApp"] = 10;
  const statuses: number[] = [];
  let last = await ask(drive);
  for (let call = 1; call < 12; call++) {
    statuses.push(last.status);
    last = await ask(drive);
  }
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(200));
  expect([last.status, last.json.error.code]).toEqual([429, "activityLimitReached"]);
  expect(Number(last.headers["retry-after"])).toBeGreaterThan(0);
  expect(last.headers["ratelimit-limit"]).toBe("10");
  await context.clock.advance(60_000);
  expect((await ask(drive)).status).toBe(200);
});

it("invalid requests get Graph's error format and never a 500", async () => {
  const wrong: [string, Ask, number][] = [
    [`${drive}/nonsense`, {}, 400],
    [`${drive}/root/nonsense`, {}, 400],
    [`${drive}/items/unknown`, {}, 404],
    [`/v1.0/drives/b!unknown/root`, {}, 400],
    [`/v1.0/drives/b!${"A".repeat(64)}/root`, {}, 404],
    [`${drive}/root:/a%3Fb.txt:/content`, { method: "PUT", body: "x" }, 400],
    [`${drive}/root`, { method: "DELETE" }, 400],
    [`${drive}/root/children`, { method: "POST", body: "{" }, 400],
    [`${drive}/root/children`, { method: "POST", body: { name: "f", folder: null } }, 400],
    [`${drive}/root:/x:/createUploadSession`, { method: "POST", body: { item: 5 } }, 400],
    [`${drive}/root/children?$top=x`, {}, 400],
    [`${drive}/root/delta?token=zzz`, {}, 400],
    [`/upload/drive/unknown`, { token: null }, 404],
    [`/download/drive/unknown.forged`, { token: null }, 404],
  ];
  for (const [target, options, status] of wrong) {
    const answer = await ask(target, options);
    expect([target, answer.status]).toEqual([target, status]);
    expect(answer.json.error).toMatchObject({
      code: expect.any(String),
      message: expect.any(String),
    });
  }
  expect(
    await part.handle(createTenantRequest({ method: "GET", target: "/v1.0/users" })),
  ).toBeNull();
});

it("a snapshot restores files and unfinished uploads", async () => {
  await put("a.txt", "kept");
  const session = await ask(`${drive}/root:/b.txt:/createUploadSession`, { method: "POST" });
  const saved = JSON.stringify(part.snapshot(), keepMaps);
  await ask(`${drive}/root:/a.txt:`, { method: "DELETE" });
  part.restore(JSON.parse(saved, reviveMaps));
  expect((await ask(`${drive}/root:/a.txt`)).status).toBe(200);
  expect((await ask(session.json.uploadUrl, { token: null })).json.nextExpectedRanges).toEqual([
    "0-",
  ]);
});

function keepMaps(this: unknown, key: string, value: unknown): unknown {
  const raw = (this as Record<string, unknown>)[key];
  if (raw instanceof Map) return { $map: [...raw] };
  return Buffer.isBuffer(raw) ? { $bytes: raw.toString("base64") } : value;
}

function reviveMaps(_key: string, value: unknown): unknown {
  const tagged = value as { $map?: [unknown, unknown][]; $bytes?: string } | null;
  if (tagged?.$map !== undefined) return new Map(tagged.$map);
  return tagged?.$bytes === undefined ? value : Buffer.from(tagged.$bytes, "base64");
}
