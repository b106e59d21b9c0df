import { existsSync } from "node:fs";
import { chmod, lstat, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openDatabase } from "./database.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";

const homes: string[] = [];

async function aHome(mode: number): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "postroom-embedded-"));
  homes.push(home);
  await chmod(home, mode);
  return home;
}

afterEach(async () => {
  for (const home of homes.splice(0)) await rm(home, { recursive: true, force: true });
});

describe("an own database", () => {
  it("lies in the home folder where its user can reach it, and goes with it", async () => {
    const home = await aHome(0o711);
    const server = await startEmbeddedPostgres({ folder: join(home, "pg"), isDurable: false });
    expect(existsSync(join(home, "pg/data/PG_VERSION"))).toBe(true);
    expect((await lstat(join(home, "pg"))).isDirectory()).toBe(true);
    await server.remove();
    expect(existsSync(join(home, "pg"))).toBe(false);
  });

  it("is found again behind a link where root's home lets nobody pass, and is removed with it", async () => {
    const home = await aHome(0o700);
    const options = { folder: join(home, "pg"), isDurable: false };
    const first = await startEmbeddedPostgres(options);
    const place = await realpath(options.folder);
    expect(place.startsWith(home)).toBe(userInfo().uid !== 0);
    await tell(first.url, "CREATE TABLE kept (n int)");
    await first.stop();

    const second = await startEmbeddedPostgres(options);
    await tell(second.url, "INSERT INTO kept VALUES (1)");
    await second.remove();
    expect(existsSync(place)).toBe(false);
    expect(existsSync(options.folder)).toBe(false);
  });
});

async function tell(url: string, statement: string): Promise<void> {
  const database = openDatabase({ url, connections: 1 });
  await database.query(statement);
  await database.close();
}
