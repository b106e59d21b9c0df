/**
 * Measures how many notifications a second are acknowledged durably, compared with the same server without any
 * write and with two simple ways of storing them, with one and with fifty items per delivery.
 */
import { Redis } from "ioredis";
import { type Database, openDatabase } from "../src/store/database.ts";
import { bundleProgram } from "./bundle.ts";
import { type Child, cpuMsOfTree, startChild, type Usage } from "./child.ts";
import {
  type BenchOptions,
  compare,
  type Figure,
  limited,
  type Measured,
  note,
  REPEATS,
  type Run,
  summarize,
  takeTurns,
} from "./harness.ts";
import type { BurstResult, PacedResult } from "./intake-load.ts";
import type { Keeping, ServerStart } from "./intake-server.ts";
import {
  type Closers,
  closeAll,
  emptyTables,
  makeFolder,
  startPostgres,
  startRedis,
} from "./throwaway.ts";

/** Deliveries under way at once, by items in each: 256 and 64. */
const LOAD = {
  1: { connections: 32, pipelining: 8 },
  50: { connections: 32, pipelining: 2 },
} as const;
/** Bursts of many items are shorter, because each waits until its last job is written. */
const SECONDS = { 1: 3, 50: 1.5 } as const;
const QUICK_SECONDS = 0.7;
const FLOORS = {
  1: { "no write": [0.5, 0.72], "INSERT per item": [3, 4.5], "BullMQ add per item": [2, 2.8] },
  50: { "no write": [0.2, 0.38], "INSERT per item": [8, 15], "BullMQ add per item": [4, 8] },
} as const;
const SUSTAINED = { floor: 0.2, aim: 0.33 };
const P99_MS = { limit: 100, aim: 20 };

interface Side {
  readonly keeping: Keeping;
  readonly child: Child;
  readonly port: number;
  readonly database: Database;
  /** The server that keeps the rows. */
  readonly storePid: number;
  empty(): Promise<void>;
}

interface Scene {
  readonly sides: readonly Side[];
  readonly load: Child;
  secondsOf(items: 1 | 50): number;
  /** Time until all jobs of each of our bursts were written, by items per delivery. */
  readonly sustained: Map<number, Run[]>;
}

export async function benchIntake(options: BenchOptions = {}): Promise<Figure[]> {
  const closers: Closers = [];
  try {
    const scene = await setUp(options, closers);
    const repeats = options.repeats ?? (options.quick ? 2 : REPEATS);
    const figures: Figure[] = [];
    let single: Measured | undefined;
    for (const items of [1, 50] as const) {
      const ways = scene.sides.map((side) => ({
        name: side.keeping,
        run: (isWarmUp: boolean) => measureBurst(scene, side, items, isWarmUp),
      }));
      const measured = await takeTurns(ways, repeats);
      if (items === 1) single = measured.ours;
      figures.push(...toFigures(scene, items, measured));
    }
    return [...figures, ...(await measurePaced(scene, single!.rate))];
  } finally {
    await closeAll(closers);
  }
}

async function setUp(options: BenchOptions, closers: Closers): Promise<Scene> {
  const folder = await makeFolder(closers);
  const postgres = await startPostgres(folder, closers);
  const redis = await startRedis(folder, closers);
  if (redis === null) note("  no redis-server here: BullMQ is left out");
  const load = startChild(new URL("./intake-load.ts", import.meta.url));
  closers.push(load.stop);
  const kinds: Keeping[] = ["ours", "no write", "INSERT per item"];
  if (redis !== null) kinds.push("BullMQ add per item");
  const sides: Side[] = [];
  const program = await bundleProgram(new URL("./intake-server.ts", import.meta.url));
  for (const [index, keeping] of kinds.entries()) {
    const databaseUrl = await postgres.create(`side${index}`);
    const child = startChild(program);
    closers.push(child.stop);
    const start: ServerStart = {
      ...{ keeping, databaseUrl },
      home: `${folder}/home${index}`,
      redisUrl: redis?.url ?? null,
    };
    const { port } = await child.ask<{ port: number }>("start", start);
    const database = openDatabase({ url: databaseUrl, connections: 2 });
    closers.push(database.close);
    const isRedis = keeping === "BullMQ add per item";
    sides.push({
      ...{ keeping, child, port, database },
      storePid: isRedis ? redis!.pid : postgres.pid,
      empty: isRedis ? () => emptyRedis(redis!.url) : () => emptyStore(keeping, database),
    });
  }
  const secondsOf = (items: 1 | 50) => (options.quick ? QUICK_SECONDS : SECONDS[items]);
  return { sides, load, secondsOf, sustained: new Map() };
}

async function emptyStore(keeping: Keeping, database: Database): Promise<void> {
  const tables = ["postroom.notification"];
  if (keeping === "ours") tables.push("postroom.job", "pgboss.job");
  await emptyTables(database, tables);
}

async function emptyRedis(url: string): Promise<void> {
  const client = new Redis(url);
  await client.flushall();
  client.disconnect();
}

async function measureBurst(
  scene: Scene,
  side: Side,
  items: 1 | 50,
  isWarmUp: boolean,
): Promise<Run> {
  await side.empty();
  const before = await usageOf(side);
  const result = await scene.load.ask<BurstResult>("burst", {
    ...LOAD[items],
    ...{ port: side.port, items },
    seconds: scene.secondsOf(items) / (isWarmUp ? 2 : 1),
  });
  const after = await usageOf(side);
  if (result.refused > 0) note(`  ${side.keeping} refused ${result.refused} of ${result.acked}`);
  const spent = { cpuMs: after.cpuMs - before.cpuMs, peakRssMb: after.peakRssMb };
  if (side.keeping === "ours") {
    const waitedMs = await untilJobsStand(side.database, result.unique);
    const seconds = result.seconds + waitedMs / 1_000;
    const cpuMs = (await usageOf(side)).cpuMs - before.cpuMs;
    const runs = scene.sustained.get(items) ?? [];
    if (!isWarmUp) scene.sustained.set(items, [...runs, { items: result.acked, seconds, cpuMs }]);
  }
  return { items: result.acked, seconds: result.seconds, ...spent };
}

async function usageOf(side: Side): Promise<Usage> {
  const own = await side.child.ask<Usage>("usage");
  return { ...own, cpuMs: own.cpuMs + cpuMsOfTree(side.storePid) };
}

/** Waits until every notification is stored once and has its job. */
async function untilJobsStand(database: Database, unique: number): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const { rowCount } = await database.query(
      "SELECT 1 FROM postroom.notification WHERE job_at IS NULL LIMIT 1",
    );
    if (rowCount === 0) break;
    if (performance.now() - startedMs > 120_000)
      throw new Error("the jobs were not written in time");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const waitedMs = performance.now() - startedMs;
  const { rows } = await database.query<{ rows: number; jobs: number }>(
    `SELECT (SELECT count(*) FROM postroom.notification) AS rows,
            (SELECT count(*) FROM postroom.job WHERE type = 'mail-changed') AS jobs`,
  );
  const { rows: kept, jobs } = rows[0]!;
  if (kept !== unique || jobs !== unique)
    throw new Error(`${unique} notifications were acknowledged: ${kept} rows, ${jobs} jobs`);
  return waitedMs;
}

function toFigures(
  scene: Scene,
  items: 1 | 50,
  measured: Partial<Record<Keeping, Measured>>,
): Figure[] {
  const name = items === 1 ? "1 item" : `${items} items`;
  const shared = { bench: "intake", unit: "items/s" };
  const others = (["no write", "INSERT per item", "BullMQ add per item"] as const).filter(
    (other) => measured[other] !== undefined,
  );
  const figures = others.map((against) => {
    const [floor, aim] = FLOORS[items][against];
    const theirs = measured[against]!;
    return compare({ ...shared, case: name, ours: measured.ours!, against, theirs, floor, aim });
  });
  if (items === 1) {
    const ours = summarize(scene.sustained.get(1)!);
    const theirs = measured["no write"]!;
    const sustained = { case: "1 item, until all jobs exist", against: "no write", ...SUSTAINED };
    figures.push(compare({ ...shared, ...sustained, ours, theirs }));
  }
  return figures;
}

async function measurePaced(scene: Scene, rate: number): Promise<Figure[]> {
  const ours = scene.sides.find((side) => side.keeping === "ours")!;
  await ours.empty();
  const perSecond = rate * 0.7;
  const result = await scene.load.ask<PacedResult>("paced", {
    ...{ port: ours.port, items: 1, connections: LOAD[1].connections },
    ...{ perSecond, seconds: scene.secondsOf(1) * 2 },
  });
  const remark = `${Math.round(perSecond).toLocaleString("en")} items/s while their jobs were created in parallel; p50 ${result.p50Ms.toFixed(1)} ms, longest ${result.maxMs.toFixed(0)} ms, ${result.refused} refused`;
  const shared = { bench: "intake", unit: "ms", note: remark };
  return [limited({ ...shared, ...P99_MS, case: "p99 at 70 % of the rate", ours: result.p99Ms })];
}
