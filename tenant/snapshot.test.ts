import { afterEach, expect, it } from "vitest";
import {
  createTenant,
  createTenantRequest,
  decodeSnapshot,
  encodeSnapshot,
  type Tenant,
} from "./index.ts";

const opened: Tenant[] = [];
const open = async (company: "none" | "small" = "none") => {
  const tenant = await createTenant({ host: null, clock: "virtual", company });
  opened.push(tenant);
  return tenant;
};
afterEach(async () => {
  for (const tenant of opened.splice(0)) await tenant.close();
});

const call = async (tenant: Tenant, method: string, target: string, body?: object | Buffer) => {
  const answer = await tenant.handle(
    createTenantRequest({
      method,
      target: `/v1.0${target}`,
      headers: {
        authorization: `Bearer ${tenant.tokenFor({})}`,
        "content-type": Buffer.isBuffer(body) ? "application/pdf" : "application/json",
      },
      body: Buffer.isBuffer(body) ? body : body === undefined ? "" : JSON.stringify(body),
    }),
  );
  return { status: answer.status, headers: answer.headers, text: answer.body.toString("utf8") };
};

it("a tenant restored from text equals the one that was saved", async () => {
  const tenant = await open("small");
  const user = tenant.users[0]!.id;
  const drive = tenant.drives.admin.defaultContainerId;
  await call(tenant, "PUT", `/drives/${drive}/root:/kept.pdf:/content`, Buffer.from("%PDF kept"));
  tenant.faults.arm({ kind: "throttle", where: { mailbox: user }, remaining: 2 });
  tenant.switches.tokenLifetimeSeconds = 120;
  await tenant.clock.advance(3_600_000);

  const copy = await open();
  copy.restore(decodeSnapshot(encodeSnapshot(tenant.snapshot())));
  expect(copy.graph.admin.mailboxTruth(user)).toEqual(tenant.graph.admin.mailboxTruth(user));
  expect(copy.journal.toJsonLines()).toBe(tenant.journal.toJsonLines());
  expect(copy.faults.list()).toEqual(tenant.faults.list());
  expect(copy.switches).toEqual(tenant.switches);
  expect(copy.clock.now()).toBe(tenant.clock.now());
  copy.faults.disarm();
  const file = await call(copy, "GET", `/drives/${drive}/root:/kept.pdf`);
  expect(JSON.parse(file.text)).toMatchObject({ name: "kept.pdf", size: 9 });
});

it("what happens after a snapshot is undone by restoring it", async () => {
  const tenant = await open("small");
  const user = tenant.users[0]!.id;
  const before = tenant.graph.admin.mailboxTruth(user);
  const saved = tenant.snapshot();
  await tenant.graph.admin.sendMail({ to: user, subject: "Later" });
  tenant.graph.admin.hardDelete(user, before[0]!.id);
  tenant.restore(saved);
  expect(tenant.graph.admin.mailboxTruth(user)).toEqual(before);
});

it("a restored tenant draws new ids, the same ones each time", async () => {
  const tenant = await open("small");
  const user = tenant.users[0]!.id;
  const known = new Set(tenant.graph.admin.mailboxTruth(user).map((each) => each.immutableId));
  const saved = tenant.snapshot();
  const drawn = [];
  for (let turn = 0; turn < 2; turn++) {
    const copy = await open();
    copy.restore(saved);
    const [sent] = await copy.graph.admin.sendMail({ to: user, subject: "New" });
    expect(known.has(sent!.immutableId)).toBe(false);
    drawn.push([sent!.immutableId, copy.context.random.fork("any").uuid()]);
  }
  expect(drawn[0]).toEqual(drawn[1]);
});

it("a file over 128 MiB is saved beside the state", () => {
  const large = Buffer.alloc(129 * 1024 * 1024);
  const kept: Uint8Array[] = [];
  const shelf = { put: (bytes: Uint8Array) => `name-${kept.push(bytes)}`, get: () => large };
  const state = { version: 1, parts: { drives: new Map([["large", { bytes: large }]]) } };
  const text = encodeSnapshot(state as never, shelf);
  expect(kept.length === 1 && kept[0] === large).toBe(true);
  const drives = decodeSnapshot(text, shelf).parts["drives"] as (typeof state)["parts"]["drives"];
  expect(drives.get("large")!.bytes === large).toBe(true);
});
