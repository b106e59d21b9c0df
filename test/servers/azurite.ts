/** Azurite, Microsoft's own emulator of Azure Blob. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { freePort } from "../../src/store/embedded-postgres.ts";
import { endWithUs } from "../helpers/end-with-us.ts";
import { installPackages } from "./packages.ts";

const PROGRAM = "node_modules/azurite/dist/src/blob/main.js";
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

/** With a certificate it speaks https and takes tokens of Entra, whose signatures it does not check. */
export async function startAzurite(
  tls: { readonly certFile: string; readonly keyFile: string } | null = null,
): Promise<AzuriteServer> {
  const folder = await installPackages();
  const port = await freePort();
  const flags = [
    "--skipApiVersionCheck",
    "--disableTelemetry",
    "--silent",
    "--inMemoryPersistence",
    ...(tls === null ? [] : ["--oauth", "basic", "--cert", tls.certFile, "--key", tls.keyFile]),
  ];
  const args = [
    join(folder, PROGRAM),
    "--blobHost",
    "127.0.0.1",
    "--blobPort",
    String(port),
    ...flags,
  ];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  endWithUs(child);
  await untilListening(child);
  const protocol = tls === null ? "http" : "https";
  const url = `${protocol}://127.0.0.1:${port}`;
  return {
    url,
    connectionString: (at = url) =>
      `DefaultEndpointsProtocol=${protocol};AccountName=${AZURITE_ACCOUNT};AccountKey=${AZURITE_KEY};` +
      `BlobEndpoint=${at}/${AZURITE_ACCOUNT};`,
    async close() {
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      await ended;
    },
  };
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
