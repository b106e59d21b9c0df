/** The drill: back up, lose the database, restore, go on. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Tenant } from "../../tenant/index.ts";
import { anApp, aTenant, type TestApp, until, watch } from "../helpers/app.ts";
import { commandsFor, type Ran } from "../helpers/cli.ts";
import { freshDatabaseUrl } from "../helpers/database.ts";
import { call, NINA, sendNote, tradesOf, trustNina, untilTrades } from "./notes.ts";

const folder = mkdtempSync(join(tmpdir(), "postroom-backup-"));
const backup = join(folder, "one");
let tenant: Tenant;
let app: TestApp;

beforeAll(async () => {
  tenant = await aTenant();
  app = await anApp(tenant);
  await watch(app, tenant, ["nina"], "Inbox");
  await trustNina(app);
  await sendNote(tenant, NINA, { seed: "before", subject: "before", name: "before.pdf" });
  await untilTrades(app, 1);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** As typed where DATABASE_URL names this database. */
async function postroom(url: string, ...words: string[]): Promise<Ran> {
  const before = process.env["DATABASE_URL"];
  process.env["DATABASE_URL"] = url;
  try {
    return await commandsFor(app)(words);
  } finally {
    if (before === undefined) delete process.env["DATABASE_URL"];
    else process.env["DATABASE_URL"] = before;
  }
}

describe("a backup", () => {
  it("of a running installation, restored into a new database, goes on without a gap and books nothing twice", async () => {
    const done = await postroom(app.database.url, "backup", backup);
    expect(done, done.err).toMatchObject({ code: 0 });
    expect(existsSync(join(backup, "manifest.json"))).toBe(true);
    // What happens after the backup is lost with the database, but not in Microsoft 365.
    await sendNote(tenant, NINA, { seed: "after", subject: "after", name: "after.pdf" });
    const before = await untilTrades(app, 2);
    await app.stop();

    const url = await freshDatabaseUrl();
    const restored = await postroom(url, "restore", backup);
    expect(restored, restored.err).toMatchObject({ code: 0 });
    const again = await anApp(tenant, { DATABASE_URL: url });
    await again.watching.begin();
    await untilTrades(again, 2);
    await again.jobs.workUntilIdle(30_000);
    expect(await tradesOf(again)).toHaveLength(before.length);
    const report = await until("an audit without findings", async () => {
      const audit = `/api/mailboxes/${NINA}/audit`;
      return call<{ findings: object[]; inMailbox: number; inLog: number }>(
        again,
        "POST",
        audit,
        {},
      );
    });
    expect(report.findings).toEqual([]);
    expect(report.inLog).toBe(report.inMailbox);
    const { rows } = await again.database.query(
      "SELECT subject, count(*) FROM postroom.event WHERE event_type = 'arrived' GROUP BY 1 HAVING count(*) > 1",
    );
    expect(rows).toEqual([]);
    const positions = await call<{ events: { seq: number }[] }>(
      again,
      "GET",
      "/api/events?order=oldest",
    );
    const seqs = positions.events.map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(seqs.length);
    // A second restore would mix two histories.
    const second = await postroom(url, "restore", backup);
    expect(second).toMatchObject({ code: 1, err: expect.stringContaining("is not empty") });
  });

  it("with a changed row, a missing file or another version is refused, and writes nothing", async () => {
    const url = await freshDatabaseUrl();
    const manifest = join(backup, "manifest.json");
    const file = join(
      backup,
      readdirSync(backup).find((name) => name.startsWith("postroom.trade."))!,
    );
    const [kept, keptManifest] = [readFileSync(file), readFileSync(manifest)];
    const refused = async (words: string) =>
      expect(await postroom(url, "restore", backup)).toMatchObject({
        code: 1,
        err: expect.stringContaining(words),
      });
    writeFileSync(file, gzipSync(gunzipSync(kept).toString().replace("confirmed", "cancelled")));
    await refused("damaged");
    expect(await postroom(url, "restore", backup, "--dry-run")).toMatchObject({ code: 1 });
    writeFileSync(file, kept);
    const other = JSON.parse(keptManifest.toString()) as { migrations: string[] };
    other.migrations.push("9999_later.sql");
    writeFileSync(manifest, JSON.stringify(other));
    await refused("restore it with that version");
    writeFileSync(manifest, keptManifest);
    rmSync(file);
    expect(await postroom(url, "restore", backup)).toMatchObject({ code: 1 });
    writeFileSync(file, kept);
    expect(await postroom(url, "restore", backup, "--dry-run")).toMatchObject({ code: 0 });
    expect(await postroom(url, "restore", backup)).toMatchObject({ code: 0 });
  });

  it("is never written over", async () => {
    const again = await postroom(app.database.url, "backup", backup);
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining("already exists") });
  });
});
