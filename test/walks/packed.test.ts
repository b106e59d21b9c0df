/** What somebody gets who installs the package instead of cloning the project. */
import { execFile, spawn } from "node:child_process";
import { chmod, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../src/store/embedded-postgres.ts";
import { until } from "../helpers/app.ts";
import { endWithUs } from "../helpers/end-with-us.ts";

const run = promisify(execFile);
const CHECKOUT = resolve(import.meta.dirname, "../..");
let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postroom-packed-"));
  await chmod(folder, 0o711); // so that its database lies below it also for root
  await run("npm", ["pack", "--pack-destination", folder], { cwd: CHECKOUT });
  await run("sh", ["-c", "tar xzf postroom-*.tgz"], { cwd: folder });
  // The dependencies are the ones an install would bring.
  await symlink(join(CHECKOUT, "node_modules"), join(folder, "node_modules"));
  program = join(folder, "package/bin/postroom.js");
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the packed package", () => {
  it("runs everything on an empty machine, from the tenant to the first events [OPS-01]", {
    timeout: 600_000,
  }, async () => {
    const port = await freePort();
    const env = {
      PATH: process.env["PATH"],
      TMPDIR: tmpdir(),
      PORT: String(port),
      POSTROOM_HOME: join(folder, "home"),
    };
    const child = spawn(process.execPath, [program, "up", "--quiet"], {
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
    endWithUs(child);
    const ended = new Promise<number | null>((done) => child.once("exit", done));
    const trades = async () =>
      (await run(process.execPath, [program, "trades", "list", "--json"], { env })).stdout;
    await until(
      "a sample note to become a trade",
      async () => (await trades().catch(() => "")).includes('"tradeKey"'),
      300_000,
    );
    child.kill("SIGINT");
    expect(await ended).toBe(0);
  });

  it("brings the tenant as a module of its own", async () => {
    const script = `
      const { createTenant } = await import(${JSON.stringify(join(folder, "package/dist/tenant/index.js"))});
      console.log(typeof createTenant);`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script]);
    expect(stdout.trim()).toBe("function");
  });
});
