import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingestMail, ingestMailKey } from "../../src/flows/specs/ingestion.ts";
import { createPostgresEngine } from "../../src/jobs/engines/postgres.ts";
import { createJobs, type Jobs } from "../../src/jobs/service/create-jobs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { KILL_POINTS } from "../../src/lib/kill-points.ts";
import { createLog } from "../../src/lib/log.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { findTrades } from "../../src/trades/trade-table.ts";
import { createTenant, type Tenant } from "../../tenant/index.ts";
import { bundleProgram } from "../helpers/bundle.ts";
import { freshDatabaseUrl } from "../helpers/database.ts";
import { runProgram } from "../helpers/run-program.ts";
import { aTrade } from "../trades/scene.ts";
import { plainPdf } from "./plain-note.ts";
import { watch } from "./tenant-mail.ts";

const POINTS = Object.keys(KILL_POINTS).filter((point) => point.startsWith("ingest."));

let tenant: Tenant;
let folder: string;
let database: Database;
let program: string;
let jobs: Jobs;

beforeAll(async () => {
  tenant = await createTenant({ company: "none", serviceBus: false });
  folder = await mkdtemp(join(tmpdir(), "postroom-kill-"));
  database = openDatabase({ url: await freshDatabaseUrl(), connections: 3 });
  await watch(database, tenant.users[0]!.mail);
  const log = createLog({ level: "silent" });
  const base = { database, clock: systemClock, random: systemRandom, log };
  jobs = createJobs({ ...base, metrics: new Registry(), engine: createPostgresEngine(base) });
  await jobs.start();
  program = await bundleProgram(new URL("./programs/ingest-worker.ts", import.meta.url));
});

afterAll(async () => {
  await jobs.stop();
  await database.close();
  await tenant.close();
  await rm(folder, { recursive: true, force: true });
});

describe("a worker that dies", () => {
  it("at any point, and is followed by one on another machine, loses no mail and books no trade twice [ING-18] [ING-19] [TRD-09] [JOB-21] [R02] [R03]", async () => {
    expect(POINTS).toHaveLength(13);
    const ids: string[] = [];
    for (const point of POINTS) {
      ids.push(await arrive(ids.length));
      expect([point, await work(point)]).toEqual([point, "SIGKILL"]);
    }
    expect(await work("nowhere")).toBe(0);

    const { rows } = await database.query(
      `SELECT message_id, status, error_message, attachments_processed, trades_extracted,
              jsonb_array_length(archive_gcs_paths) AS paths FROM bo_airflow.email_ingestion_state`,
    );
    expect(rows).toHaveLength(ids.length);
    for (const row of rows) {
      expect(row).toMatchObject({
        status: "success",
        error_message: null,
        attachments_processed: 1,
        trades_extracted: 2,
        paths: 1,
      });
    }
    const trades = await findTrades(database, { limit: 1_000 });
    expect(trades).toHaveLength(2 * ids.length);
    expect(new Set(trades.map((trade) => trade.fingerprint)).size).toBe(2 * ids.length);
    expect((await database.query("SELECT * FROM postroom.ingest_lease")).rows).toEqual([]);
    expect((await database.query("SELECT * FROM postroom.review")).rows).toEqual([]);
  }, 900_000);
});

/** A mail with a note of two identical fills, in line. */
async function arrive(number: number): Promise<string> {
  const fill = aTrade({ reference: null, account: `K${number}` });
  const mailbox = tenant.users[0]!.mail;
  const [sent] = await tenant.graph.admin.sendMail({
    to: mailbox,
    from: "ldeburna@firm.example",
    attachments: [{ name: "note.pdf", bytes: await plainPdf({ trades: [fill, fill] }) }],
  });
  const messageId = sent!.immutableId;
  await database.transaction((tx) =>
    jobs.queue.add(tx, ingestMail, [
      {
        subjectId: messageId,
        idempotencyKey: ingestMailKey(messageId),
        payload: { mailbox, messageId },
      },
    ]),
  );
  return messageId;
}

/** A machine with a disk of its own, and the archive that all machines share. */
async function newMachine(): Promise<string> {
  const home = await mkdtemp(join(folder, "machine-"));
  await mkdir(join(folder, "archive"), { recursive: true });
  await symlink(join(folder, "archive"), join(home, "archive"));
  return home;
}

/** How the worker ended: by signal, or with an exit code. Every worker is on another machine. */
async function work(killAt: string): Promise<string | number> {
  const home = await newMachine();
  const args = [program, database.url, home, tenant.origin, tenant.tokenFor({}), killAt];
  return runProgram(args);
}
