/**
 * A worker process on the real queue, tables, spool and archive, told at which point of the walk to die, or until
 * which file is there to stand still. It reads PDFs in its own process, which starts faster; the sandbox has
 * tests of its own.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "prom-client";
import { openDiskBlobStore } from "../../../src/files/blob-disk.ts";
import { openDiskFileStore } from "../../../src/files/file-store.ts";
import {
  type IngestMailNeeds,
  ingestMailHandler,
} from "../../../src/flows/ingestion/ingest-mail.ts";
import { sweepIngestion } from "../../../src/flows/ingestion/sweep-ingestion.ts";
import { ingestionTable } from "../../../src/ingestion/ingestion-table.ts";
import { shareSpool } from "../../../src/ingestion/shared-spool.ts";
import { createPostgresEngine } from "../../../src/jobs/engines/postgres.ts";
import type { JobHandler } from "../../../src/jobs/handler.ts";
import { createJobs, type Jobs } from "../../../src/jobs/service/create-jobs.ts";
import { every, systemClock } from "../../../src/lib/clock.ts";
import { armKill } from "../../../src/lib/kill-points.ts";
import { createLog } from "../../../src/lib/log.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { parsePdf } from "../../../src/reading/parse-pdf.ts";
import { readingOf } from "../../../src/reading/reading.ts";
import type { SandboxPool } from "../../../src/reading/sandbox-pool.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { plainExtract } from "../plain-note.ts";
import { tenantMail } from "../tenant-mail.ts";

const [url, folder, origin, token, killAt, blockUntil] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string | undefined,
];
if (killAt !== "nowhere") armKill(killAt);
/** One that is to stand still must not lose anything before, also on a busy machine. */
const leases =
  blockUntil === undefined ? { claimMs: 1_000, jobMs: 1_500 } : { claimMs: 4_000, jobMs: 6_000 };

const CONNECTIONS = 8;
const database = openDatabase({ url, connections: CONNECTIONS });
// One that is being made while everything stands still would run out of time.
const connect = () => database.query("SELECT pg_sleep(0.2)");
if (blockUntil !== undefined) await Promise.all(Array.from({ length: CONNECTIONS }, connect));
const log = createLog({ level: "silent" });
const base = { database, clock: systemClock, random: systemRandom, log };
const late: { jobs?: Jobs } = {};
const needs: IngestMailNeeds = {
  ...base,
  pool: {} as SandboxPool,
  table: ingestionTable({ leaseMs: leases.claimMs }),
  mail: tenantMail(database, { origin, tokenFor: () => token }),
  files: shareSpool(database, await openDiskFileStore({ ...base, folder: join(folder, "spool") })),
  blobs: await openDiskBlobStore({ ...base, folder: join(folder, "archive") }),
  pdfs: {
    async read(bytes) {
      if (blockUntil !== undefined) standStill(blockUntil);
      const copy = Uint8Array.from(bytes);
      const result = await parsePdf(copy, { pagesMax: 10, charactersMax: 100_000 });
      return result.ok
        ? { ok: true, reading: readingOf(result.pages), isFromImage: false }
        : result;
    },
  },
  extract: plainExtract,
  jobs: { add: (...args) => late.jobs!.queue.add(...args) },
  firmDomains: ["firm.example"],
};
const jobs = createJobs({
  ...base,
  metrics: new Registry(),
  engine: createPostgresEngine(base),
  handlers: [ingestMailHandler(needs)] as JobHandler[],
  settings: { leaseMs: leases.jobMs, sweepMs: 300, graceMs: 500 },
});
late.jobs = jobs;
await jobs.start();
every(
  systemClock,
  300,
  async () => void (await sweepIngestion(needs)),
  () => {},
);

/** Nothing else runs in this thread meanwhile, as in a long collection or computation. */
function standStill(file: string): void {
  process.stdout.write("standing still\n");
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(file)) Atomics.wait(never, 0, 0, 20);
}

async function isAllDone(): Promise<boolean> {
  const { rows } = await database.query<{ open: number }>(
    "SELECT count(*) AS open FROM postroom.job WHERE is_open",
  );
  return rows[0]!.open === 0;
}

while (!(await isAllDone())) await systemClock.sleep(100);
await jobs.stop();
process.exit(0);
