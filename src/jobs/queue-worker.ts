/**
 * Takes messages of one queue and runs their jobs in batches. A batch is what has arrived when a
 * handler has room; nothing waits for a batch to fill.
 */
import { systemClock } from "../lib/clock.ts";
import { adoptMessages } from "./adopt-message.ts";
import type { Consumer, Delivery } from "./engine.ts";
import type { JobHandler } from "./handler.ts";
import { runBatch } from "./run-batch.ts";
import { parkUnknown } from "./settle-unclaimed.ts";
import { settleQuietly, type WorkerBench } from "./worker-bench.ts";

export interface QueueWorker {
  wake(): void;
  readonly isBusy: boolean;
  /** Jobs that were taken and that no handler has begun. */
  waitingIds(): string[];
  /** Stops taking and gives back what no handler has begun; running batches go on. */
  stopTaking(): Promise<void>;
  /** Resolves when no batch is running. */
  idle(): Promise<void>;
}

interface Lane {
  readonly batchSize: number;
  readonly concurrency: number;
  readonly run: (deliveries: readonly Delivery[]) => Promise<void>;
  waiting: Delivery[];
  running: number;
}

const PARKING_BATCH = 50;

export function startQueueWorker(
  bench: WorkerBench,
  queue: string,
  handlers: readonly JobHandler[],
): QueueWorker {
  const lanes = new Map<string, Lane>(
    handlers.map((handler) => [handler.spec.type, toLane(bench, handler)]),
  );
  const unknown = sideLane((deliveries) => parkUnknown(bench, deliveries));
  const foreign = sideLane((deliveries) => adoptMessages(bench, deliveries));
  const all = [...lanes.values(), unknown, foreign];
  let isTaking = true;
  let isPumping = false;
  const onIdle: (() => void)[] = [];

  const isIdle = () => all.every((lane) => lane.running === 0 && lane.waiting.length === 0);

  const pump = (): void => {
    isPumping = false;
    for (const lane of all) {
      while (lane.running < lane.concurrency && lane.waiting.length > 0) {
        void runLane(lane, lane.waiting.splice(0, lane.batchSize));
      }
    }
    if (isIdle()) for (const done of onIdle.splice(0)) done();
  };
  const schedulePump = (): void => {
    if (isPumping) return;
    isPumping = true;
    setImmediate(pump);
  };

  const runLane = async (lane: Lane, deliveries: Delivery[]): Promise<void> => {
    lane.running += 1;
    try {
      await lane.run(deliveries);
    } catch (error) {
      bench.log.error({ err: error, queue }, "a batch could not be brought to an end");
      await systemClock.sleep(1_000, bench.stopping);
      await settleQuietly(bench, deliveries, { kind: "release" });
    }
    lane.running -= 1;
    schedulePump();
  };

  const deliver = (deliveries: Delivery[]): void => {
    if (!isTaking) {
      void settleQuietly(bench, deliveries, { kind: "release" });
      return;
    }
    for (const delivery of deliveries) {
      const lane =
        delivery.jobId === null || delivery.type === null
          ? foreign
          : (lanes.get(delivery.type) ?? unknown);
      lane.waiting.push(delivery);
    }
    schedulePump();
  };

  const limit = [...lanes.values()].reduce((sum, lane) => sum + roomOf(lane), 0);
  const consumer: Consumer = bench.engine.consume(queue, limit, deliver);
  return {
    wake: () => consumer.wake(),
    get isBusy() {
      return !isIdle();
    },
    waitingIds: () =>
      all.flatMap((lane) => lane.waiting.flatMap((delivery) => delivery.jobId ?? [])),
    async stopTaking() {
      isTaking = false;
      await consumer.stop();
      const unbegun = all.flatMap((lane) => lane.waiting.splice(0));
      await settleQuietly(bench, unbegun, { kind: "release" });
    },
    idle: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve))),
  };
}

function toLane(bench: WorkerBench, handler: JobHandler): Lane {
  return {
    batchSize: handler.batchSize ?? 1,
    concurrency: Math.min(handler.concurrency ?? 1, bench.concurrencyMax),
    run: (deliveries) => runBatch(bench, handler, deliveries),
    waiting: [],
    running: 0,
  };
}

const sideLane = (run: Lane["run"]): Lane => ({
  batchSize: PARKING_BATCH,
  concurrency: 1,
  run,
  waiting: [],
  running: 0,
});

/** Batches are taken ahead; a job that is run alone is left to whoever is free. */
const roomOf = (lane: Lane): number =>
  lane.concurrency * lane.batchSize * (lane.batchSize > 1 ? 2 : 1);
