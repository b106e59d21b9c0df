import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { endWithUs } from "../../test/helpers/end-with-us.ts";
import { createLog } from "../lib/log.ts";
import { openDatabase } from "./database.ts";
import { isReachable, type Place, recordFile } from "./embedded-place.ts";
import { startEmbeddedPostgres, urlOfRunning } from "./embedded-postgres.ts";
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

  it("is kept in the home folder if the server's user can reach it, and is removed with it", async () => {
    const home = await aHome(0o711);
    const server = await startEmbeddedPostgres({ folder: join(home, "pg"), isDurable: false });
    expect(existsSync(join(home, "pg/data/PG_VERSION"))).toBe(true);
    expect((await lstat(join(home, "pg"))).isDirectory()).toBe(true);
    expect(await urlOfRunning(join(home, "pg"))).toBe(server.url);
    await server.stop();
    expect(await urlOfRunning(join(home, "pg"))).toBe(null);
    await server.remove();
    expect(await readdir(home)).toEqual([]);
  });

  it("is found again below /var/lib/postroom if others cannot enter root's home, and is removed with it", async () => {
    const home = await aHome(0o700);
    const options = { folder: join(home, "pg"), isDurable: false };
    const first = await startEmbeddedPostgres(options);
    const { folder: place } = await recordOf(options.folder);
    expect(place.startsWith(isRoot ? "/var/lib/postroom/" : home)).toBe(true);
    await tell(first.url, "CREATE TABLE kept (n int)");
    await first.stop();

    const second = await startEmbeddedPostgres(options);
    await tell(second.url, "INSERT INTO kept VALUES (1)");
    await second.remove();
    expect(existsSync(place)).toBe(false);
    expect(await readdir(home)).toEqual([]);
  });

  it("must not be gone or replaced: otherwise the start is refused and says what to do", async () => {
    const home = await aHome(0o711);
    const options = { folder: join(home, "pg"), isDurable: false };
    const server = await startEmbeddedPostgres(options);
    await server.stop();
    await rename(join(home, "pg"), join(home, "elsewhere"));
    await expect(startEmbeddedPostgres(options)).rejects.toThrow(
      "the database of this home is gone",
    );
    expect(existsSync(join(home, "pg"))).toBe(false);

    const other = await startEmbeddedPostgres({ ...options, folder: join(home, "other") });
    await other.stop();
    await rename(join(home, "other"), join(home, "pg"));
    await expect(startEmbeddedPostgres(options)).rejects.toThrow(
      "another database is where this home's own should be",
    );

    await rename(join(home, "pg"), join(home, "other"));
    await rename(join(home, "elsewhere"), join(home, "pg"));
    await (await startEmbeddedPostgres(options)).remove();
  });

  it("of an earlier version is adopted, and its link to a folder that was deleted is refused", async () => {
    const home = await aHome(0o711);
    const options = { folder: join(home, "pg"), isDurable: false };
    const server = await startEmbeddedPostgres(options);
    await tell(server.url, "CREATE TABLE kept (n int)");
    await server.stop();
    const { password } = await recordOf(options.folder);
    // As an earlier version left it: no record, the password beside the data, the home's folder a link.
    await rm(recordFile(options.folder));
    await writeFile(join(home, "pg/password"), password);
    await rename(join(home, "pg"), join(home, "postroom-data-x"));
    await symlink(join(home, "postroom-data-x"), join(home, "pg"));
    const again = await startEmbeddedPostgres(options);
    await tell(again.url, "INSERT INTO kept VALUES (1)");
    await again.stop();
    expect(existsSync(join(home, "postroom-data-x/password"))).toBe(false);

    await rm(recordFile(options.folder));
    await rm(join(home, "postroom-data-x"), { recursive: true });
    await expect(startEmbeddedPostgres(options)).rejects.toThrow(
      "the database of this home is gone",
    );
  });

  it("starts after a first start that was interrupted during initdb", async () => {
    const home = await aHome(0o711);
    const options = { folder: join(home, "pg"), isDurable: false };
    const program = startProgram(options.folder, {});
    await expect
      .poll(() => existsSync(options.folder) && readdirSync(options.folder).join(" "), {
        interval: 5,
      })
      .toMatch(/data-\S+/);
    program.kill("SIGKILL");
    await ended(program);
    const server = await startEmbeddedPostgres(options);
    await tell(server.url, "SELECT 1");
    await server.remove();
  });

  it("that was left running is stopped at the next start; another process with its process id is not", async () => {
    const home = await aHome(0o711);
    const options = { folder: join(home, "pg"), isDurable: false };
    const program = startProgram(options.folder, {});
    await said(program, "ready");
    program.kill("SIGKILL");
    await ended(program);
    const again = await startEmbeddedPostgres(options);
    await again.stop();

    const stranger = spawn("sleep", ["600"], { stdio: "ignore" });
    await writeFile(join(home, "pg/data/postmaster.pid"), `${stranger.pid}\n${home}/pg/data\n`);
    const third = await startEmbeddedPostgres(options);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    stranger.kill("SIGKILL");
    await third.remove();
  });

  it("works for a user without an entry in /etc/passwd", async () => {
    const home = await aHome(0o711);
    // Only root can become another user; everybody else, and a checkout that `nobody` cannot enter, runs as
    // the current user.
    const isOther = isRoot && (await isReachable(import.meta.dirname));
    if (isOther) await chown(home, 12_345, 12_345);
    const program = startProgram(join(home, "pg"), isOther ? { uid: 12_345, gid: 12_345 } : {});
    await said(program, "ready");
    program.kill("SIGTERM");
    await ended(program);
  });

  it("never follows a link at a path that root would write to", async () => {
    const home = await aHome(0o711);
    await mkdir(join(home, "foreign"));
    const owner = (await lstat(join(home, "foreign"))).uid;
    await symlink(join(home, "foreign"), join(home, "pg"));
    await expect(startEmbeddedPostgres({ folder: join(home, "pg") })).rejects.toThrow("is gone");
    expect(await readdir(join(home, "foreign"))).toEqual([]);
    expect((await lstat(join(home, "foreign"))).uid).toBe(owner);
  });

  it("leaves a folder that contains other files alone", async () => {
    const folder = join(await aHome(0o700), "pg");
    await mkdir(folder);
    await writeFile(join(folder, "kept"), "");
    const server = await startEmbeddedPostgres({ folder, isDurable: false });
    await server.stop();
    expect(await readdir(folder)).toContain("kept");
    await rm((await recordOf(folder)).folder, { recursive: true, force: true });
  });
});

const isRoot = process.getuid?.() === 0;

const recordOf = async (folder: string): Promise<Place> =>
  JSON.parse(await readFile(recordFile(folder), "utf8")) as Place;

/** A separate process that starts the database in the folder and prints `ready`. */
function startProgram(folder: string, as: { uid?: number; gid?: number }): ChildProcess {
  const text = `import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, "embedded-postgres.ts"))};
    const server = await startEmbeddedPostgres({ folder: ${JSON.stringify(folder)}, isDurable: false });
    process.once("SIGTERM", () => server.stop());
    console.log("ready");`;
  const program = spawn(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), "--input-type=module", "-e", text],
    // tsx caches what it compiled in the temporary folder, which belongs to another user here.
    {
      ...as,
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, TSX_DISABLE_CACHE: "1" },
    },
  );
  return endWithUs(program);
}

function said(program: ChildProcess, word: string): Promise<void> {
  return new Promise((done, fail) => {
    program.stdout!.on("data", (text) => String(text).includes(word) && done());
    program.once("exit", (code) => fail(new Error(`ended with ${code} before it said ${word}`)));
  });
}

const ended = (program: ChildProcess) =>
  new Promise((done) => (program.exitCode === null ? program.once("exit", done) : done(null)));

async function tell(url: string, statement: string): Promise<void> {
  const database = openDatabase({ url, connections: 1 });
  try {
    await database.query(statement);
  } finally {
    await database.close();
  }
}
