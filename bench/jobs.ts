/**
 * Compares jobs with the bare library of each engine, in one run, in turns: adding, carrying, running and
 * settling no-op jobs in batches of the same size. Ours adds the envelope, the idempotency key, the
 * lease, the status and metrics, all in PostgreSQL.
 */
import { spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  applyQueuePlan,
  createAdministration,
  planQueues,
} from "../src/jobs/engines/service-bus-queues.ts";
import { QUEUES } from "../src/jobs/queues.ts";
import { openDatabase } from "../src/store/database.ts";
import { startEmbeddedPostgres } from "../src/store/embedded-postgres.ts";
import { migrate } from "../src/store/migrate.ts";
import type { EngineChoice } from "../test/helpers/open-engine.ts";
import { startRedis } from "../test/helpers/redis.ts";
import {
  type BenchOptions,
  compare,
  type Figure,
  note,
  quantile,
  REPEATS,
  type Run,
  takeTurns,
} from "./harness.ts";
import {
  BATCH,
  type Begun,
  type Contestant,
  startBarePostgres,
  startBareRedis,
  startBareServiceBus,
  startOurs,
} from "./jobs-contestants.ts";
import { processorTime } from "./processor-time.ts";

interface Case {
  readonly name: string;
  readonly against: string;
  readonly count: number;
  readonly servers: readonly number[];
  readonly ours: (begun: Begun) => Promise<Contestant>;
  readonly bare: (begun: Begun) => Promise<Contestant>;
}

const FLOOR = 0.7;
const AIM = 0.9;

export async function benchJobs(options: BenchOptions = {}): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-jobs-"));
  const postgres = await startEmbeddedPostgres({ folder });
  const redis = await startRedis();
  const serviceBus = await startServiceBus();
  const database = openDatabase({ url: postgres.url });
  try {
    await migrate(database);
    const scale = options.quick ? 0.1 : 1;
    const oursOn = (choice: EngineChoice) => (begun: Begun) => startOurs(database, choice, begun);
    const onRedis: EngineChoice = { kind: "redis", connectionString: redis.url };
    const onBus: EngineChoice = { kind: "service-bus", connectionString: serviceBus.address };
    const cases: Case[] = [
      {
        name: "postgres",
        against: "pg-boss",
        count: 20_000 * scale,
        servers: [postgres.pid],
        ours: oursOn({ kind: "postgres" }),
        bare: (begun) => startBarePostgres(postgres.url, begun),
      },
      {
        name: "redis",
        against: "BullMQ",
        count: 10_000 * scale,
        servers: [postgres.pid, redis.pid],
        ours: oursOn(onRedis),
        bare: (begun) => startBareRedis(redis.port, begun),
      },
      {
        name: "service bus",
        against: "@azure/service-bus",
        count: 4_000 * scale,
        servers: [postgres.pid, serviceBus.pid],
        ours: oursOn(onBus),
        bare: (begun) => startBareServiceBus(serviceBus.address, begun),
      },
    ];
    const figures: Figure[] = [];
    for (const one of cases) figures.push(await measure(one, options));
    for (const figure of figures) note(`${figure.case}: ${figure.note}`);
    return figures;
  } finally {
    await database.close();
    serviceBus.stop();
    await redis.stop();
    await postgres.remove();
  }
}

async function measure(one: Case, options: BenchOptions): Promise<Figure> {
  const repeats = options.repeats ?? (options.quick ? 1 : REPEATS);
  note(one.name);
  const { ours, bare } = await takeTurns(
    [
      { name: "bare", run: () => runRound(one, one.bare) },
      { name: "ours", run: () => runRound(one, one.ours) },
    ],
    repeats,
  );
  const waits = options.quick ? 20 : 200;
  const ourWait = await measureWait(one.ours, waits);
  const bareWait = await measureWait(one.bare, waits);
  return compare({
    bench: "jobs",
    case: one.name,
    unit: "jobs/s",
    ours,
    against: one.against,
    theirs: bare,
    floor: FLOOR,
    aim: AIM,
    note: `picked up after ${ourWait} ms (bare ${bareWait}); CPU ${ours.cpuUsPerItem} µs a job (bare ${bare.cpuUsPerItem})`,
  });
}

/** Adds everything in batches while it is being processed; the clock stops at the last one. */
async function runRound(one: Case, start: Case["ours"]): Promise<Run> {
  let left = one.count;
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const contestant = await start((numbers) => {
    left -= numbers.length;
    if (left <= 0) finish();
  });
  const cpuBefore = cpuOf(one.servers);
  const startedAt = performance.now();
  for (let from = 0; from < one.count; from += BATCH) {
    await contestant.add(from, Math.min(BATCH, one.count - from));
  }
  await finished;
  const seconds = (performance.now() - startedAt) / 1_000;
  await contestant.stop();
  const cpuMs = (cpuOf(one.servers) - cpuBefore) / 1_000;
  return { items: one.count, seconds, cpuMs };
}

/** One job at a time, on an idle system: the time from adding it to the start of its handler. */
async function measureWait(start: Case["ours"], count: number): Promise<string> {
  let tell = (): void => {};
  const contestant = await start(() => tell());
  const waits: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const begun = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const addedAt = performance.now();
    await contestant.add(1_000_000 + n, 1);
    await begun;
    waits.push(performance.now() - addedAt);
  }
  await contestant.stop();
  return `${quantile(waits, 0.5).toFixed(1)} p50, ${quantile(waits, 0.99).toFixed(1)} p99`;
}

function cpuOf(servers: readonly number[]): number {
  const { user, system } = process.cpuUsage();
  return user + system + servers.reduce((sum, pid) => sum + processorTime(pid), 0);
}

async function startServiceBus(): Promise<{ address: string; pid: number; stop(): void }> {
  const script = join(import.meta.dirname, "service-bus-server.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once("exit", () => reject(new Error("the Service Bus server ended")));
  });
  const admin = createAdministration(address);
  await applyQueuePlan(admin, QUEUES, await planQueues(admin, QUEUES));
  return { address, pid: child.pid!, stop: () => child.kill() };
}
