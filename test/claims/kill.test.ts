import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { setForeignLease } from "../../src/ingestion/foreign-lease-table.ts";
import { installGuard } from "../../src/ingestion/guard.ts";
import { ingestionTable } from "../../src/ingestion/ingestion-table.ts";
import { reapDeadClaims } from "../../src/ingestion/keep-claims.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { bundleProgram } from "../helpers/bundle.ts";
import { freshDatabaseUrl } from "../helpers/database.ts";
import { endWithUs } from "../helpers/end-with-us.ts";

const isLong = process.env["POSTROOM_LONG"] === "1";
const size = isLong ? { mails: 4_000, kills: 120 } : { mails: 300, kills: 20 };
const limitMs = isLong ? 3_600_000 : 900_000;
const table = ingestionTable();
const fixtures = fileURLToPath(new URL("./fixtures/", import.meta.url));
let ownWorker: string;
let foreignClient: string;

beforeAll(async () => {
  ownWorker = await bundleProgram(new URL("./programs/own-worker.ts", import.meta.url));
  foreignClient = await bundleProgram(new URL("./programs/foreign-client.ts", import.meta.url));
});

interface Mix {
  readonly own: number;
  readonly foreign: number;
  readonly hasGuard: boolean;
  readonly hasEffectKey: boolean;
}

describe(`real processes, ${size.kills} real kills, ${size.mails} mails`, () => {
  it.each<[string, Mix]>([
    [
      "four workers of ours, no unique effect",
      { own: 4, foreign: 0, hasGuard: false, hasEffectKey: false },
    ],
    [
      "four of ours and another program, with the guard",
      { own: 4, foreign: 1, hasGuard: true, hasEffectKey: true },
    ],
    [
      "four of ours and another program, without the guard",
      { own: 4, foreign: 1, hasGuard: false, hasEffectKey: true },
    ],
  ])(
    "%s: nothing lost, nothing doubled [ING-09] [ING-19] [ING-23] [R01] [R02]",
    async (_name, mix) => {
      const database = await prepare(mix);
      await runAndKill(database, mix);
      expect(await outcome(database)).toEqual({
        success: size.mails,
        booked: size.mails,
        most: 1,
        leases: 0,
      });
      await database.close();
    },
    limitMs,
  );
});

async function prepare(mix: Mix): Promise<Database> {
  const database = openDatabase({ url: await freshDatabaseUrl(), connections: 2 });
  await database.query("CREATE TABLE kill_mail (message_id varchar(255) PRIMARY KEY)");
  await database.query("CREATE TABLE kill_trade (message_id text, worker text)");
  await database.query("CREATE TABLE kill_end (at timestamptz)");
  await setForeignLease(database, "airflow-", 1_000);
  if (mix.hasGuard) await installGuard(database, table);
  return database;
}

/**
 * Keeps all programs running, kills a random one again and again, and waits for the rest to finish. Mails come
 * in ahead of the kills, and the last fifth after them, so that nobody is done before the last one.
 */
async function runAndKill(database: Database, mix: Mix): Promise<void> {
  const commands = [
    ...Array.from({ length: mix.own }, () => [
      ownWorker,
      database.url,
      mix.hasEffectKey ? "yes" : "no",
    ]),
    ...Array.from({ length: mix.foreign }, () => [foreignClient, database.url, fixtures]),
  ];
  const running = commands.map(start);
  for (let kills = 0; kills < size.kills; kills += 1) {
    const due = Math.floor((size.mails * 0.8 * kills) / size.kills);
    await arrive(database, due + size.mails / 5);
    await untilDone(database, due);
    const victim = Math.floor(Math.random() * commands.length);
    const child = running[victim]!;
    expect(child.exitCode).toBeNull();
    child.kill("SIGKILL");
    await once(child, "exit");
    running[victim] = start(commands[victim]!);
  }
  await arrive(database, size.mails);
  await database.query("INSERT INTO kill_end VALUES (now())");
  await Promise.all(running.map((child) => (child.exitCode === null ? once(child, "exit") : null)));
  expect(running.map((child) => child.exitCode)).toEqual(running.map(() => 0));
  await untilLeasesAreGone(database);
}

async function arrive(database: Database, upTo: number): Promise<void> {
  await database.query(
    "INSERT INTO kill_mail SELECT 'mail-' || n FROM generate_series(1, $1::int) n ON CONFLICT DO NOTHING",
    [upTo],
  );
}

/** The last leases of killed workers run out, and the reaper clears them away. */
async function untilLeasesAreGone(database: Database): Promise<void> {
  for (let tries = 0; tries < 3_000; tries += 1) {
    await database.transaction((tx) => reapDeadClaims(tx, table));
    const { rows } = await database.query("SELECT 1 FROM postroom.ingest_lease LIMIT 1");
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function start(command: readonly string[]): ChildProcess {
  return endWithUs(
    spawn(process.execPath, [...command], { stdio: ["ignore", "ignore", "inherit"] }),
  );
}

async function untilDone(database: Database, mails: number): Promise<void> {
  for (let tries = 0; tries < 12_000; tries += 1) {
    if ((await countDone(database)) >= mails) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`fewer than ${mails} of ${size.mails} were ever done`);
}

async function countDone(database: Database): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    "SELECT count(*) AS n FROM bo_airflow.email_ingestion_state WHERE status = 'success'",
  );
  return rows[0]!.n;
}

async function outcome(database: Database): Promise<object> {
  const { rows } = await database.query(
    `SELECT (SELECT count(*) FROM bo_airflow.email_ingestion_state WHERE status = 'success') AS success,
            (SELECT count(DISTINCT message_id) FROM kill_trade) AS booked,
            (SELECT max(n) FROM (SELECT count(*) AS n FROM kill_trade GROUP BY message_id) c) AS most,
            (SELECT count(*) FROM postroom.ingest_lease) AS leases`,
  );
  return rows[0]!;
}
