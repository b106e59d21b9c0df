import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { Tenant } from "../../tenant/index.ts";
import { anApp, aTenant, type TestApp, watch } from "../helpers/app.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/postroom.js", import.meta.url));

let tenant: Tenant;
let app: TestApp;
let nina: string;

beforeAll(async () => {
  tenant = await aTenant({ switches: { deliveryDelayMs: 0, journalRequests: true } });
  nina = tenant.users[1]!.mail;
  app = await anApp(tenant);
  await watch(app, tenant, ["nina"]);
  // From here on nothing happens by the clock.
  await app.jobs.stop();
});

/** The program itself, as somebody types it. */
function postroom(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const env = {
    PATH: process.env["PATH"],
    POSTROOM_HOME: app.home,
    PORT: String(app.port),
    NO_COLOR: "1",
  };
  return new Promise((done) =>
    execFile(process.execPath, [PROGRAM, ...args], { env }, (failed, out, error) =>
      done({ code: Number(failed?.code ?? 0), out, error }),
    ),
  );
}

/** Everything that a command could touch: rows, jobs, and what Graph was asked to change. */
async function everything(): Promise<unknown> {
  const tables = ["mailbox", "folder", "message", "subscription", "event", "job"];
  const rows: Record<string, unknown> = {};
  for (const table of tables) {
    const found = await app.database.query<{ rows: unknown }>(
      `SELECT jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t)::text) AS rows FROM postroom.${table} t`,
    );
    rows[table] = found.rows[0]!.rows;
  }
  const changes = tenant.journal
    .entries()
    .filter((entry) => entry.kind === "request" && entry["method"] !== "GET");
  return { rows, changes, subscriptions: tenant.graph.admin.subscriptions() };
}

describe("--dry-run", () => {
  it.each([
    ["pause", [], "status: active → paused"],
    ["resume", [], "subscription: keep the one that expires "],
    ["resync", [], "folders from the start"],
    ["exclude", ["junk email"], "Junk Email: read → excluded"],
    ["remove", [], "but keep their events"],
  ])(
    "mailbox %s --dry-run says what would change and changes nothing",
    async (verb, more, words) => {
      const before = await everything();
      const told = await postroom("mailbox", verb, nina, ...more, "--dry-run");
      expect(told).toMatchObject({ code: 0, error: "" });
      expect(told.out).toContain(`${nina}: these changes would be made`);
      expect(told.out).toContain(words);
      expect(await everything()).toEqual(before);
    },
  );

  it("--dry-run --json prints the same as JSON", async () => {
    const { out } = await postroom("mailbox", "pause", nina, "--dry-run", "--json");
    expect(JSON.parse(out)).toEqual({
      ...{ address: nina, dryRun: true },
      changes: ["status: active → paused", "stop reading, renewing and auditing"],
    });
  });

  it("--dry-run says when nothing would change, and refuses what the verb itself would refuse", async () => {
    expect((await postroom("mailbox", "include", nina, "Inbox", "--dry-run")).out).toBe(
      `${nina}: nothing would change\n`,
    );
    const unknown = await postroom("mailbox", "exclude", nina, "No such", "--dry-run");
    expect(unknown).toMatchObject({ code: 1, error: expect.stringContaining("No such") });
    const stranger = await postroom("mailbox", "remove", "x@ashdown.example", "--dry-run");
    expect(stranger).toMatchObject({ code: 1, error: expect.stringContaining("not watched") });
  });
});
