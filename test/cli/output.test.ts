/** What commands print: for people, for terminals of any width, and for programs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { Tenant } from "../../tenant/index.ts";
import { anApp, aTenant, type TestApp, until, watch } from "../helpers/app.ts";
import { commandsFor, type Ran } from "../helpers/cli.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../../bin/postroom.js", import.meta.url));

let tenant: Tenant;
let app: TestApp;
let postroom: (typed: string | readonly string[], columns?: number | null) => Promise<Ran>;

beforeAll(async () => {
  tenant = await aTenant({ company: "small" });
  app = await anApp(tenant);
  postroom = commandsFor(app);
  await watch(app, tenant, ["operations", "nina"]);
  await until("events", async () => (await postroom("events list --json")).out !== "");
});

describe("a list", () => {
  it.each(["events list", "mailbox list", "sub list", "jobs list"])(
    "%s fits a terminal of 60 columns, and its ids stay whole",
    async (list) => {
      const { out, code } = await postroom(list, 60);
      expect(code).toBe(0);
      const widths = out.split("\n").map((line) => line.length);
      expect(Math.max(...widths)).toBeLessThanOrEqual(60);
      expect(out).not.toContain("…");
    },
  );

  it("times have a zone, and are accepted by --since", async () => {
    const { out } = await postroom("events list --limit 1");
    const [, row] = out.split("\n");
    const [time] = row!.split("  ");
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect((await postroom(`events list --since ${time}`)).code).toBe(0);
  });

  it("events list shows the id of the message, which trace takes", async () => {
    const { out } = await postroom("events list --limit 1");
    const id = out.trim().split("\n")[1]!.split("  ").at(-1)!;
    const trace = await postroom(["trace", id]);
    expect(trace).toMatchObject({ code: 0, err: "" });
    expect(trace.out).toContain("event");
  });

  it("says whether nothing happened yet or only nothing that fits", async () => {
    const { err, code } = await postroom("events list --type re-keyed");
    expect({ err, code }).toEqual({
      code: 0,
      err: "no event matches these filters; postroom events list shows the newest\n",
    });
  });
});

describe("a failure", () => {
  it("under --json is one JSON object on stderr, also if the usage is wrong", async () => {
    const missing = await postroom("trades show nothing --json");
    expect(missing).toMatchObject({ code: 1, out: "" });
    expect(JSON.parse(missing.err)).toMatchObject({ error: { exitCode: 1 } });
    const usage = await postroom("events list --type arrivd --json");
    expect(usage).toMatchObject({ code: 2, out: "" });
    expect(JSON.parse(usage.err)).toEqual({
      error: {
        exitCode: 2,
        code: "usage",
        message: expect.stringContaining("Allowed choices are arrived, deleted"),
      },
    });
  });

  it("a note under --json is JSON too", async () => {
    const { err } = await postroom("jobs create-queues --json --dry-run");
    expect(
      err
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).not.toEqual([]);
  });

  it("a replay of no dead letter fails and says where they are listed", async () => {
    for (const verb of ["replay", "dismiss"])
      expect(await postroom(`dlq ${verb} --cause nope --why again`)).toMatchObject({
        code: 1,
        err: "postroom: no dead letter matches; postroom dlq causes lists all of them by cause\n",
      });
  });
});

describe("the program", () => {
  it("says that another program answers at the server's address", async () => {
    const other = createServer((_, response) =>
      response.setHeader("content-type", "text/html").end("<h1>It works!</h1>"),
    );
    await once(other.listen(0, "127.0.0.1"), "listening");
    const { port } = other.address() as AddressInfo;
    const home = mkdtempSync(join(tmpdir(), "postroom-other-"));
    writeFileSync(join(home, "operator-key"), "key");
    for (const call of ["mailbox list", "trades show x", "doctor --json"]) {
      const { code, err } = await commandsFor({ home, port })(call);
      expect(code).toBe(2);
      expect(err).toContain(`the server at http://127.0.0.1:${port} is not Postroom`);
    }
    other.close();
    rmSync(home, { recursive: true });
  });

  it("is found by npx in a clone, as the docs say", async () => {
    const child = spawn("npx", ["--no-install", "postroom", "--version"], { cwd: ROOT });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    const code = await new Promise((done) => child.once("close", done));
    expect({ code, out }).toEqual({ code: 0, out: "0.1.0\n" });
  });

  it("prints its version", async () => {
    expect(await postroom("--version")).toEqual({ code: 0, out: "0.1.0\n", err: "" });
  });

  it("exits quietly if nobody reads its output any more", async () => {
    const child = spawn(process.execPath, [
      PROGRAM,
      "tenant",
      "journal",
      "--admin",
      tenant.addresses.admin,
    ]);
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    child.stdout.once("data", () => child.stdout.destroy());
    const code = await new Promise((done) => child.once("close", done));
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });

  it("waits for what its own timers do not keep alive, instead of ending with 13", async () => {
    const module = new URL("../../src/cli/base/keep-alive.ts", import.meta.url).href;
    const waiting = (mayEnd: string) =>
      new Promise((done) =>
        spawn(process.execPath, [
          ...["--import", "tsx", "--input-type=module", "-e"],
          `import { keepAlive } from ${JSON.stringify(module)};
           ${mayEnd}
           await new Promise((resolve) => setTimeout(resolve, 50).unref());
           mayEnd();`,
        ]).once("close", done),
      );
    expect(await waiting("const mayEnd = () => {};")).toBe(13);
    expect(await waiting("const mayEnd = keepAlive();")).toBe(0);
  });
});
