/**
 * Azurite, Microsoft's own emulator of Azure Blob. It weighs 189 MB, so the root package does not carry
 * it: `npm test`, or else the first use, installs it from its own lockfile into `azurite/node_modules`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../src/store/embedded-postgres.ts";
import { endWithUs } from "../helpers/end-with-us.ts";

const FOLDER = fileURLToPath(new URL("./azurite/", import.meta.url));
const PROGRAM = join(FOLDER, "node_modules/azurite/dist/src/blob/main.js");
const INSTALL_MS_MAX = 240_000;
const START_MS_MAX = 120_000;

/** The account and key that Azurite documents for everybody. */
const AZURITE_ACCOUNT = "devstoreaccount1";
const AZURITE_KEY =
  "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

export interface AzuriteServer {
  readonly url: string;
  /** The connection string by which the server is reached at `url`, or through a proxy before it. */
  connectionString(url?: string): string;
  close(): Promise<void>;
}

export async function startAzurite(): Promise<AzuriteServer> {
  await ensureInstalled();
  const port = await freePort();
  const flags = [
    "--skipApiVersionCheck",
    "--disableTelemetry",
    "--silent",
    "--inMemoryPersistence",
  ];
  const args = [PROGRAM, "--blobHost", "127.0.0.1", "--blobPort", String(port), ...flags];
  const child = spawn(process.execPath, args, { cwd: FOLDER, stdio: ["ignore", "pipe", "pipe"] });
  endWithUs(child);
  await untilListening(child);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    connectionString: (at = url) =>
      `DefaultEndpointsProtocol=http;AccountName=${AZURITE_ACCOUNT};AccountKey=${AZURITE_KEY};` +
      `BlobEndpoint=${at}/${AZURITE_ACCOUNT};`,
    async close() {
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** One process installs; others that start meanwhile wait for it. */
async function ensureInstalled(): Promise<void> {
  const done = join(FOLDER, "node_modules/.package-lock.json");
  const lock = join(tmpdir(), `postroom-azurite-${FOLDER.replaceAll(/\W/g, "-")}`);
  if (existsSync(done) && existsSync(PROGRAM) && !existsSync(lock)) return;
  if (!(await takeLock(lock))) return ensureInstalled();
  try {
    if (!(existsSync(done) && existsSync(PROGRAM))) await install();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

async function takeLock(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    await utimes(lock, Date.now() / 1000, Date.now() / 1000);
    return true;
  } catch {
    const age = await stat(lock).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0,
    );
    if (age > INSTALL_MS_MAX) await rm(lock, { recursive: true, force: true });
    else await new Promise((later) => setTimeout(later, 250));
    return false;
  }
}

async function install(): Promise<void> {
  const args = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const child = spawn("npm", args, { cwd: FOLDER, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-2_000);
  });
  const limit = setTimeout(() => child.kill("SIGKILL"), INSTALL_MS_MAX);
  const code = await new Promise<number | null>((ended) => child.once("exit", ended));
  clearTimeout(limit);
  if (code === 0) return;
  const said = output.split("\n").filter((text) => text !== "" && !text.includes("complete log"));
  const reason = said.slice(0, 3).join("; ") || `no answer within ${INSTALL_MS_MAX / 1000} s`;
  const line = `Azurite could not be installed (npm ci in test/servers/azurite): ${reason}`;
  process.stderr.write(`${line}\n`);
  throw new Error(line);
}

function untilListening(child: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    let output = "";
    const limit = setTimeout(() => fail(new Error(`Azurite is silent: ${output}`)), START_MS_MAX);
    const finish = (error?: Error) => {
      clearTimeout(limit);
      if (error === undefined) done();
      else fail(error);
    };
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output = (output + text).slice(-2_000);
        if (output.includes("successfully list")) finish();
      });
    }
    child.once("exit", (code) => finish(new Error(`Azurite ended with ${code}: ${output}`)));
  });
}
