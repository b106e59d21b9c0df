/** From notified message ids to stored events: `$batch` and one statement, against one by one. */
import { type Database, openDatabase } from "../src/store/database.ts";
import { bundleProgram } from "./bundle.ts";
import { type Child, cpuMsOfTree, startChild, type Usage } from "./child.ts";
import {
  type BenchOptions,
  compare,
  type Figure,
  REPEATS,
  type Run,
  takeTurns,
} from "./harness.ts";
import { type Closers, closeAll, emptyTables, makeFolder, startPostgres } from "./throwaway.ts";

const FLOOR = 4;
const AIM = 9;

interface Scene {
  readonly worker: Child;
  readonly database: Database;
  readonly postgresPid: number;
}

export async function benchEvents(options: BenchOptions = {}): Promise<Figure[]> {
  const closers: Closers = [];
  try {
    const scene = await setUp(closers);
    const repeats = options.repeats ?? (options.quick ? 2 : REPEATS);
    const counts = options.quick ? { ours: 4_000, plain: 800 } : { ours: 40_000, plain: 8_000 };
    const measured = await takeTurns(
      [
        { name: "ours", run: () => measure(scene, "batched", counts.ours) },
        { name: "plain", run: () => measure(scene, "oneByOne", counts.plain) },
      ],
      repeats,
    );
    const shared = { bench: "events", unit: "events/s", floor: FLOOR, aim: AIM };
    const figure = compare({
      ...shared,
      case: "read and record with $batch",
      ours: measured.ours,
      against: "fetch and INSERT each, four at a time",
      theirs: measured.plain,
      note: "ours keeps the state of each message too; Graph is a process with canned answers, one mailbox",
    });
    return [figure];
  } finally {
    await closeAll(closers);
  }
}

async function setUp(closers: Closers): Promise<Scene> {
  const folder = await makeFolder(closers);
  const postgres = await startPostgres(folder, closers);
  const databaseUrl = await postgres.create("events");
  const graph = startChild(new URL("./graph-stub.ts", import.meta.url));
  const worker = startChild(await bundleProgram(new URL("./events-worker.ts", import.meta.url)));
  closers.push(graph.stop, worker.stop);
  const { origin } = await graph.ask<{ origin: string }>("start", { messages: 0 });
  await worker.ask("start", { databaseUrl, origin });
  const database = openDatabase({ url: databaseUrl, connections: 1 });
  closers.push(database.close);
  return { worker, database, postgresPid: postgres.pid };
}

async function measure(scene: Scene, way: "batched" | "oneByOne", count: number): Promise<Run> {
  await emptyTables(scene.database, ["postroom.message", "postroom.event"]);
  const before = (await scene.worker.ask<Usage>("usage")).cpuMs + cpuMsOfTree(scene.postgresPid);
  const startedMs = performance.now();
  await scene.worker.ask(way, { from: 1, count });
  const seconds = (performance.now() - startedMs) / 1_000;
  const after = await scene.worker.ask<Usage>("usage");
  const { rows } = await scene.database.query<{ events: number }>(
    "SELECT count(*) AS events FROM postroom.event",
  );
  if (rows[0]!.events !== count)
    throw new Error(`${rows[0]!.events} of ${count} events were stored`);
  const cpuMs = after.cpuMs + cpuMsOfTree(scene.postgresPid) - before;
  return { items: count, seconds, cpuMs, peakRssMb: after.peakRssMb };
}
