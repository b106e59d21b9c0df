/**
 * Compares a first round of a large folder into states and events with a plain COPY of the same rows into the
 * same tables with the same indexes; then repeats the round while new mail arrives.
 */
import { chmod, mkdir } from "node:fs/promises";
import { type Database, openDatabase } from "../src/store/database.ts";
import { bundleProgram } from "./bundle.ts";
import { type Child, cpuMsOfTree, startChild, type Usage } from "./child.ts";
import { benchLiveMail } from "./delta-live.ts";
import type { RoundResult } from "./delta-reader.ts";
import {
  type BenchOptions,
  compare,
  type Figure,
  limited,
  note,
  REPEATS,
  type Run,
  takeTurns,
} from "./harness.ts";
import { addMailbox } from "./intake-scene.ts";
import { type Closers, closeAll, emptyTables, makeFolder, startPostgres } from "./throwaway.ts";

const COPY_RATIO = { floor: 0.2, aim: 0.35 };
const RSS_MB = { limit: 200, aim: 130 };
const TABLES = ["message", "event"] as const;

export interface DeltaScene {
  readonly messages: number;
  readonly folder: string;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly origin: string;
  readonly mailbox: number;
  readonly reader: Child;
  readonly postgresPid: number;
  /** The memory used in each tenth of each round. */
  readonly memory: (readonly number[])[];
}

export async function benchDelta(options: BenchOptions = {}): Promise<Figure[]> {
  const closers: Closers = [];
  try {
    const messages = options.quick ? 20_000 : options.full ? 1_000_000 : 200_000;
    const scene = await setUp(messages, closers);
    const measured = await takeTurns(
      [
        { name: "ours", run: (isWarmUp: boolean) => measureRound(scene, isWarmUp) },
        { name: "COPY", run: () => measureCopy(scene) },
      ],
      options.repeats ?? (options.quick ? 2 : REPEATS),
    );
    const figure = compare({
      ...{ bench: "delta", case: `first round of ${messages.toLocaleString("en")} messages` },
      ...{ unit: "messages/s", against: "COPY of the same rows", ...COPY_RATIO },
      ...{ ours: measured.ours, theirs: measured.COPY },
      note: "each message is a row of state and an event; Graph is a process with canned pages",
    });
    const memory = memoryOf(scene);
    await beginAnew(scene);
    return [figure, memory, await benchLiveMail(scene, closers)];
  } finally {
    await closeAll(closers);
  }
}

async function setUp(messages: number, closers: Closers): Promise<DeltaScene> {
  const folder = await makeFolder(closers);
  await mkdir(`${folder}/copy`);
  await chmod(`${folder}/copy`, 0o777); // PostgreSQL writes and reads the rows there itself
  const postgres = await startPostgres(folder, closers);
  const databaseUrl = await postgres.create("delta");
  const database = openDatabase({ url: databaseUrl, connections: 1, statementTimeoutMs: 600_000 });
  closers.push(database.close);
  const mailbox = await addMailbox(database);
  const graph = startChild(new URL("./graph-stub.ts", import.meta.url));
  const reader = startChild(await bundleProgram(new URL("./delta-reader.ts", import.meta.url)));
  closers.push(graph.stop, reader.stop);
  const { origin } = await graph.ask<{ origin: string }>("start", { messages });
  await reader.ask("start", { databaseUrl, origin, mailbox });
  const scene = { messages, folder, databaseUrl, database, origin, mailbox, reader };
  return { ...scene, postgresPid: postgres.pid, memory: [] };
}

async function beginAnew(scene: DeltaScene): Promise<void> {
  await emptyTables(
    scene.database,
    TABLES.map((table) => `postroom.${table}`),
  );
  await scene.database.query(
    "UPDATE postroom.folder SET delta_link = NULL, generation = 0, is_walking = false, last_delta_at = NULL",
  );
}

async function measureRound(scene: DeltaScene, isFirst: boolean): Promise<Run> {
  await beginAnew(scene);
  const before = (await scene.reader.ask<Usage>("usage")).cpuMs + cpuMsOfTree(scene.postgresPid);
  const round = await scene.reader.ask<RoundResult>("readRound");
  const cpuMs =
    (await scene.reader.ask<Usage>("usage")).cpuMs + cpuMsOfTree(scene.postgresPid) - before;
  if (round.events !== scene.messages) throw new Error(`${round.events} events were recorded`);
  if (isFirst) await keepRows(scene);
  else scene.memory.push(round.rssMb);
  const peakRssMb = Math.max(...round.rssMb);
  return { items: round.messages, seconds: round.seconds, cpuMs, peakRssMb };
}

/** Exports the rows of a round once, so that they can be copied back. */
async function keepRows(scene: DeltaScene): Promise<void> {
  for (const table of TABLES) {
    const columns = await columnsOf(scene.database, table);
    await scene.database.query(
      `COPY postroom.${table} (${columns}) TO '${scene.folder}/copy/${table}'`,
    );
  }
}

async function measureCopy(scene: DeltaScene): Promise<Run> {
  await beginAnew(scene);
  const before = cpuMsOfTree(scene.postgresPid);
  const startedMs = performance.now();
  for (const table of TABLES) {
    const columns = await columnsOf(scene.database, table);
    await scene.database.query(
      `COPY postroom.${table} (${columns}) FROM '${scene.folder}/copy/${table}'`,
    );
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  return { items: scene.messages, seconds, cpuMs: cpuMsOfTree(scene.postgresPid) - before };
}

/** All columns except the number that the table assigns itself. */
async function columnsOf(database: Database, table: string): Promise<string> {
  const { rows } = await database.query<{ columns: string }>(
    `SELECT string_agg(attname, ', ' ORDER BY attnum) AS columns FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attidentity = ''`,
    [`postroom.${table}`],
  );
  return rows[0]!.columns;
}

function memoryOf(scene: DeltaScene): Figure {
  const last = scene.memory.at(-1)!;
  note(`  memory by tenths of the last round, MB: ${last.join(" ")}`);
  return limited({
    ...{ bench: "delta", case: "memory of the reading process", unit: "MB", ...RSS_MB },
    ours: Math.max(...scene.memory.flat()),
    note: `by tenths of the last round ${last.join(", ")} MB`,
  });
}
