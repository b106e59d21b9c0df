import { existsSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createLog } from "../lib/log.ts";
import { openDatabase } from "./database.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import { keepEmbeddedPostgres } from "./keep-embedded-postgres.ts";

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

describe("a database of our own", () => {
  it("is started again with its data after it was killed [R36]", async () => {
    const home = await aHome(0o711);
    const options = { folder: join(home, "pg") };
    const kept = await keepEmbeddedPostgres(options, createLog({ level: "silent" }));
    await tell(kept.url, "CREATE TABLE kept (n int)");
    const pid = async () =>
      Number((await readFile(join(home, "pg/data/postmaster.pid"), "utf8")).split("\n")[0]);
    for (const signal of ["SIGKILL", "SIGQUIT"] as const) {
      const before = await pid();
      process.kill(before, signal);
      const isBack = () =>
        tell(kept.url, "INSERT INTO kept VALUES (1)").then(
          () => true,
          () => false,
        );
      await expect.poll(isBack, { interval: 100 }).toBe(true);
      await expect.poll(pid).not.toBe(before);
    }
    const last = await pid();
    await kept.stop();
    expect(() => process.kill(last, 0)).toThrow("ESRCH");
  });

  it("is kept in the home folder if its user can reach that, and removed with it", async () => {
    const home = await aHome(0o711);
    const server = await startEmbeddedPostgres({ folder: join(home, "pg"), isDurable: false });
    expect(existsSync(join(home, "pg/data/PG_VERSION"))).toBe(true);
    expect((await lstat(join(home, "pg"))).isDirectory()).toBe(true);
    await server.remove();
    expect(existsSync(join(home, "pg"))).toBe(false);
  });

  it("is found again behind a link if root's home lets nobody pass, and is removed with it", async () => {
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

  it("starts in an empty folder that already exists, also where root's home lets nobody pass", async () => {
    const folder = join(await aHome(0o700), "pg");
    await mkdir(folder);
    const server = await startEmbeddedPostgres({ folder, isDurable: false });
    await tell(server.url, "SELECT 1");
    await server.remove();
    expect(existsSync(folder)).toBe(false);
  });

  it("never removes a folder that holds files: root learns what to do, other users use it", async () => {
    const folder = join(await aHome(0o700), "pg");
    await mkdir(folder);
    await writeFile(join(folder, "kept"), "");
    const starting = startEmbeddedPostgres({ folder, isDurable: false });
    if (userInfo().uid === 0) await expect(starting).rejects.toThrow("chmod o+x");
    else await (await starting).stop();
    expect(await readdir(folder)).toContain("kept");
  });
});

async function tell(url: string, statement: string): Promise<void> {
  const database = openDatabase({ url, connections: 1 });
  try {
    await database.query(statement);
  } finally {
    await database.close();
  }
}
