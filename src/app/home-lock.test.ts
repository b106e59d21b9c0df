import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { anApp, settingsFor, until } from "../../test/helpers/app.ts";
import { startApp } from "../app.ts";
import { loadConfig } from "../config.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { createLog } from "../lib/log.ts";
import { identityOf } from "../lib/process-identity.ts";
import { freePort } from "../store/embedded-postgres.ts";
import { lockHome } from "./home-lock.ts";

async function aHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "postroom-lock-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}

const own = { hasDatabase: true };

describe("the lock of a home", () => {
  it("is held by one process at a time and can be released", async () => {
    const home = await aHome();
    const release = await lockHome(home, own);
    await expect(lockHome(home, own)).rejects.toThrow(
      `already running in ${home} (process ${process.pid})`,
    );
    await release();
    await (await lockHome(home, own))();
    expect(await readdir(home)).toEqual([]);
  });

  it("goes to one of many that find the lock of a process that was killed", async () => {
    const home = await aHome();
    // The process id is alive, as ours is, but it belongs to another process by now.
    const stale = { pid: process.pid, identity: "an earlier process" };
    await writeFile(join(home, "lock.json"), JSON.stringify(stale));
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockHome(home, own)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it.each(["", "{", "null"])("that a power cut left as %j is nobody's", async (text) => {
    const home = await aHome();
    await writeFile(join(home, "lock.json"), text);
    const release = await lockHome(home, own);
    await expect(lockHome(home, own)).rejects.toThrow("already running");
    await release();
  });

  it("of a process in another container or on another machine counts as long as that process touches it", async () => {
    const home = await aHome();
    const file = join(home, "lock.json");
    const elsewhere = { pid: process.pid, identity: identityOf(process.pid), space: "elsewhere" };
    await writeFile(file, JSON.stringify(elsewhere));
    let looks = 0;
    const clockThat = (happens: () => Promise<void>): Clock => ({
      ...systemClock,
      sleep: async () => {
        looks += 1;
        await happens();
      },
    });
    const touched = clockThat(() => utimes(file, new Date(), new Date(looks)));
    await expect(lockHome(home, { ...own, clock: touched })).rejects.toThrow(
      `already running in ${home} (process ${process.pid} in another container or on another machine)`,
    );
    const quiet = clockThat(async () => {});
    looks = 0;
    const release = await lockHome(home, { ...own, clock: quiet });
    expect(looks).toBe(20);
    await release();
    await writeFile(file, JSON.stringify(elsewhere));
    const released = clockThat(() => rm(file, { force: true }));
    await (await lockHome(home, { ...own, clock: released }))();
  });

  it("with a database elsewhere, a new container takes over from the one that it replaces, which leaves the lock alone", async () => {
    const home = await aHome();
    const file = join(home, "lock.json");
    const another = JSON.stringify({ pid: process.pid, identity: "i", space: "elsewhere" });
    await writeFile(file, another);
    const release = await lockHome(home, { hasDatabase: false });
    expect(await readFile(file, "utf8")).toContain(identityOf(process.pid));
    await writeFile(file, another);
    await release();
    expect(await readFile(file, "utf8")).toBe(another);
  });

  it("is touched as long as it is held", async () => {
    const home = await aHome();
    const release = await lockHome(home, own);
    const touchedAt = async () => (await stat(join(home, "lock.json"))).mtimeMs;
    const before = await touchedAt();
    await until("a touch", async () => (await touchedAt()) !== before);
    await release();
    expect(await readdir(home)).toEqual([]);
  });

  it("a second server in a home is refused, and a worker that shares it leaves the server's address alone", async () => {
    const app = await anApp(null);
    const shared = await settingsFor(null, {
      POSTROOM_HOME: app.home,
      DATABASE_URL: app.database.url,
    });
    const config = loadConfig({ ...shared, POSTROOM_HOME: app.home });
    const log = createLog({ level: "silent" });
    await expect(startApp(config, { log })).rejects.toThrow("already running");
    const before = await addressIn(app.home);
    const worker = await startApp(config, { log, roles: ["worker"] });
    expect(await addressIn(app.home)).toEqual(before);
    await worker.stop();
    expect(await addressIn(app.home)).toEqual(before);
  });
});

describe("the keys of a home", () => {
  const log = createLog({ level: "silent" });
  const configIn = async (home: string) => {
    const settings = await settingsFor(null);
    return loadConfig({ ...settings, POSTROOM_HOME: home });
  };

  it("are the same for a server and workers that start there together for the first time", async () => {
    const home = await aHome();
    const config = await configIn(home);
    const roles = [["intake", "api"], ["worker"], ["worker"]] as const;
    const apps = await Promise.all(
      roles.map(async (each) =>
        startApp({ ...config, port: await freePort() }, { log, roles: each }),
      ),
    );
    for (const { stop } of apps) onTestFinished(stop);
    const [first, ...others] = apps;
    const sealed = first!.seal.close("a consent");
    for (const { operatorKey, seal } of others) {
      expect(operatorKey).toBe(first!.operatorKey);
      expect(seal.open(sealed)).toBe("a consent");
    }
    for (const name of ["operator-key", "seal-key"])
      expect((await stat(join(home, name))).mode & 0o777).toBe(0o600);
    expect((await readdir(home)).filter((name) => name.includes("-key."))).toEqual([]);
  });

  it.each(["operator-key", "seal-key"])("are never made of an empty %s", async (name) => {
    const home = await aHome();
    await writeFile(join(home, name), "\n");
    await expect(startApp(await configIn(home), { log, roles: ["worker"] })).rejects.toThrow(
      `${join(home, name)} holds no key`,
    );
  });
});

const addressIn = (home: string) => readFile(join(home, "server.json"), "utf8");
