/** A throw-away redis-server on a free port. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { freePort } from "../../src/store/embedded-postgres.ts";
import { endWithUs } from "./end-with-us.ts";

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
  /** Kills it with SIGKILL and starts it again on the same port with what it had on disk. */
  restart(): Promise<void>;
}

const PLACES = ["/usr/bin/redis-server", "/usr/local/bin/redis-server", "/usr/bin/valkey-server"];

/** Finds the server, installs it through apt if allowed, or fails with one clear line. */
function findServer(): string {
  const found = PLACES.find((path) => existsSync(path));
  if (found !== undefined) return found;
  if (userInfo().uid === 0 && existsSync("/usr/bin/apt-get")) {
    execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "redis-server"]);
    if (existsSync(PLACES[0]!)) return PLACES[0]!;
  }
  throw new Error(
    "redis-server is missing: install it (apt-get install redis-server) and run again",
  );
}

export async function startRedis(extra: readonly string[] = []): Promise<TestRedis> {
  const server = findServer();
  const folder = await mkdtemp(join(tmpdir(), "postroom-redis-"));
  const port = await freePort();
  const launch = () => launchServer(server, folder, port, extra);
  let child = await launch();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return child.pid!;
    },
    async stop() {
      await end("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
    async restart() {
      await end("SIGKILL");
      child = await launch();
    },
  };
}

async function launchServer(
  server: string,
  folder: string,
  port: number,
  extra: readonly string[],
): Promise<ChildProcess> {
  const base = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  const child = spawn(server, [...base, "--appendonly", "yes", ...extra], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  endWithUs(child);
  await new Promise<void>((resolve, reject) => {
    let output = "";
    child.stdout!.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("Ready to accept connections")) resolve();
    });
    child.once("exit", () => reject(new Error(`redis-server ended: ${output.slice(-400)}`)));
  });
  return child;
}
