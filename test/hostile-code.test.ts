/** The walls of the sandbox, tried by code that has already taken over a child. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, chown, copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkSandbox } from "../src/flows/ingestion/diagnose-ingestion.ts";
import { commandOf, identityOf } from "../src/lib/process-identity.ts";
import { innerPid } from "../src/reading/process-usage.ts";
import { sandboxCommand } from "../src/reading/sandbox-command.ts";
import { type Isolation, wallsFor } from "../src/reading/walls.ts";
import { until } from "./helpers/app.ts";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
let folder: string;
let hostile: string;
let target: Record<string, unknown>;
let database: ChildProcess;
const servers: Server[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hostile-"));
  await chmod(folder, 0o755);
  hostile = join(folder, "hostile.mjs");
  await copyFile(join(import.meta.dirname, "helpers/hostile.mjs"), hostile);
  await chmod(hostile, 0o666);
  const at = (name: string) => join(folder, name);
  await writeFile(at("open"), "secret");
  await mkdir(at("anybody"));
  await chmod(at("anybody"), 0o777);
  await writeFile(at("database"), "secret", { mode: 0o600 });
  await writeFile(at("root"), "secret", { mode: isRoot ? 0o600 : 0o000 });
  // Root runs the database as nobody; everybody else as themselves.
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  if (isRoot) await chown(at("database"), NOBODY, NOBODY);
  database = spawn("/bin/sleep", ["600"], { ...user, stdio: "ignore", cwd: "/" });
  const mark = `sandbox-${randomUUID()}`;
  target = {
    openFile: at("open"),
    openFolder: at("anybody"),
    databaseFile: at("database"),
    databasePid: database.pid,
    rootFile: at("root"),
    home: at("anybody"),
    pid: process.pid,
    socket: at("socket"),
    mark,
    port: await listen(0),
  };
  await listen(at("socket"));
  await chmod(at("socket"), 0o777);
  await listen(`\0${mark}`);
});

afterAll(async () => {
  database.kill("SIGKILL");
  for (const server of servers) server.close();
  await rm(folder, { recursive: true, force: true });
});

async function listen(where: number | string): Promise<number> {
  const server = createServer((socket) => socket.destroy());
  servers.push(server);
  if (typeof where === "number") server.listen(where, "127.0.0.1");
  else server.listen(where);
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

type User = { readonly uid?: number; readonly gid?: number };

/** What the hostile program could do when started like this. */
async function attacksOf(command: readonly string[], user: User = {}): Promise<string[]> {
  const [file, ...args] = [...command, JSON.stringify(target)];
  const child = spawn(file!, args, { ...user, cwd: "/", stdio: "pipe", env: {} });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (errors += chunk));
  await once(child, "close");
  if (output === "") throw new Error(`the hostile program did not run: ${errors}`);
  const outcomes = JSON.parse(output) as Record<string, string>;
  return Object.keys(outcomes).filter((attack) => outcomes[attack] === "done");
}

const node = process.execPath;
const unwalled = () => [node, hostile];
/** The command behind the walls of this name, for root or for an ordinary user. */
function behind(isolation: Isolation, asRoot = isRoot): string[] {
  const walls = wallsFor(asRoot).find((each) => each.isolation === isolation)!;
  return walls.wrap(unwalled(), unwalled());
}

const READS = ["read a file that everybody may read", "list the home folder", "read /etc/passwd"];
const WRITES = ["write where everybody may", "write over its own program"];
const SOCKETS = [
  "connect to a port of the machine",
  "connect to a socket in the file system",
  "connect to a socket without a file",
];
const STARTS = ["start a shell", "start a hundred processes"];
const OWNERS = [
  "read a file of the database's user",
  "read the environment of the host",
  "read the memory map of the host",
  "signal the host",
  "signal the database",
  "become root",
];

describe("hostile code in a child of the sandbox", () => {
  it("succeeds with every attack where there is no wall, so that a wall is what stops it", async () => {
    const all = [...READS, ...WRITES, ...SOCKETS, ...STARTS, ...OWNERS, "see other processes"];
    const done = await attacksOf(unwalled());
    expect(done.sort()).toEqual(isRoot ? all.sort() : all.filter(isNotRoots).sort());
  });

  it("reads, writes, connects, signals and starts nothing behind the walls that a child has [S57]", async () => {
    const { file, args, isolation } = sandboxCommand(hostile);
    expect(isolation).toBe("contained");
    expect(await attacksOf([file, ...args])).toEqual([]);
  });

  it("does nothing behind the walls of the system alone [S57]", async () => {
    expect(await attacksOf(behind("contained"))).toEqual([]);
  });

  it("does nothing either if an ordinary user starts the child [S57]", async () => {
    const ordinary = isRoot ? { uid: 12_345, gid: 12_345 } : {};
    expect(await attacksOf(behind("contained", false), ordinary)).toEqual([]);
  });

  it("touches no file and starts nothing behind Node's permission model alone [S57]", async () => {
    const { args } = sandboxCommand(hostile);
    const done = await attacksOf(args.slice(args.lastIndexOf(node)));
    const others = [...SOCKETS, "signal the host", "signal the database", "become root"];
    expect(others).toEqual(expect.arrayContaining(done));
  });

  it("connects again as soon as the wall around the network is gone", async () => {
    const open = behind("contained").filter((argument) => argument !== "--net");
    expect(await attacksOf(open)).toEqual([SOCKETS[0], SOCKETS[2]]);
  });
});

describe("a child of the sandbox", () => {
  it("ends with its host, however that ends and whatever the child does about it", async () => {
    const walls = wallsFor(isRoot)[0]!;
    const command = walls.wrap([node, "-e", "setInterval(() => {}, 1000)"], [node]);
    const script = `require("child_process").spawn(...JSON.parse(process.argv[1])).once("spawn", function () { console.log(this.pid) })`;
    const spawned = JSON.stringify([command[0], command.slice(1), { stdio: "ignore", env: {} }]);
    const host = spawn(node, ["-e", script, spawned], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(host.stdout, "data");
    const inner = await until("the child to start", async () => {
      const pid = innerPid(Number(line));
      return pid !== null && commandOf(pid)?.startsWith(node) && pid;
    });
    host.kill("SIGKILL");
    await until("the child to end", async () => identityOf(inner) === null);
  });
});

describe("where the system forbids namespaces to root", () => {
  it("the doctor warns about what the sandbox lacks", () => {
    expect(checkSandbox("contained").status).toBe("ok");
    expect(checkSandbox("own-user")).toMatchObject({
      status: "warning",
      fix: expect.stringContaining("namespaces"),
    });
  });

  const visible = ["see other processes"];

  it("a child without network and with its own user is kept from the machine and from other users", async () => {
    if (!isRoot) return;
    const done = await attacksOf(behind("no-network-own-user"));
    const expected = [...READS, SOCKETS[1], "start a shell", ...visible];
    expect(done.sort()).toEqual(expected.sort());
  });

  it("a child with its own user is kept from what belongs to others", async () => {
    if (!isRoot) return;
    const done = await attacksOf(behind("own-user"));
    const expected = [...READS, ...SOCKETS, "start a shell", ...visible];
    expect(done.sort()).toEqual(expected.sort());
  });
});

/** What only root can do without walls. */
function isNotRoots(attack: string): boolean {
  return attack !== "become root";
}
