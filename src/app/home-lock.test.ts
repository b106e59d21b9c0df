import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { anApp, settingsFor } from "../../test/helpers/app.ts";
import { startApp } from "../app.ts";
import { loadConfig } from "../config.ts";
import { createLog } from "../lib/log.ts";
import { lockHome } from "./home-lock.ts";

async function aHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "postroom-lock-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}

describe("the lock of a home", () => {
  it("is held by one process at a time and can be released", async () => {
    const home = await aHome();
    const release = await lockHome(home);
    await expect(lockHome(home)).rejects.toThrow(
      `already running in ${home} (process ${process.pid})`,
    );
    await release();
    await (await lockHome(home))();
    expect(await readdir(home)).toEqual([]);
  });

  it("goes to one of many that find the lock of a process that was killed", async () => {
    const home = await aHome();
    // The process id is alive, as ours is, but it belongs to another process by now.
    const stale = { pid: process.pid, identity: "an earlier process" };
    await writeFile(join(home, "lock.json"), JSON.stringify(stale));
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockHome(home)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
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

const addressIn = (home: string) => readFile(join(home, "server.json"), "utf8");
