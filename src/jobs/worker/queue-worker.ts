/**
 * Receives the tickets of one queue and runs their jobs in batches. A batch is whatever has arrived when a
 * handler has room; no job waits for a batch to fill.
 */
import { systemClock } from "../../lib/clock.ts";
import type { Consumer, Ticket } from "../engine.ts";
import type { JobHandler } from "../handler.ts";
import { adoptMessages } from "./adopt-message.ts";
import { runBatch } from "./run-batch.ts";
import { parkUnknown } from "./settle-untaken.ts";
import { settleQuietly, type WorkerBench } from "./worker-bench.ts";

export interface QueueWorker {
  wake(): void;
  readonly isBusy: boolean;
  /** Jobs whose tickets are here but that no handler has started. */
  waitingIds(): string[];
  /** Stops receiving and returns tickets that no handler has started; running batches continue. */
  stopTaking(): Promise<void>;
  /** Resolves when no batch is running. */
  idle(): Promise<void>;
}

interface Lane {
  readonly batchSize: number;
  readonly concurrency: number;
  readonly run: (tickets: readonly Ticket[]) => Promise<void>;
  waiting: Ticket[];
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
  const unknown = sideLane((tickets) => parkUnknown(bench, tickets));
  const foreign = sideLane((tickets) => adoptMessages(bench, tickets));
  const allLanes = [...lanes.values(), unknown, foreign];
  let isTaking = true;
  let isPumping = false;
  const onIdle: (() => void)[] = [];

  const isIdle = () => allLanes.every((lane) => lane.running === 0 && lane.waiting.length === 0);

  const pump = (): void => {
    isPumping = false;
    for (const lane of allLanes) {
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

  const runLane = async (lane: Lane, tickets: Ticket[]): Promise<void> => {
    lane.running += 1;
    try {
      await lane.run(tickets);
    } catch (error) {
      bench.log.error(
        { err: error, queue },
        "a batch failed outside its handler; its jobs are given back",
      );
      await systemClock.sleep(1_000, bench.stopping);
      await settleQuietly(bench, tickets, { kind: "release" });
    }
    lane.running -= 1;
    schedulePump();
  };

  const receive = (tickets: Ticket[]): void => {
    if (!isTaking) {
      void settleQuietly(bench, tickets, { kind: "release" });
      return;
    }
    for (const ticket of tickets) {
      const lane =
        ticket.jobId === null || ticket.type === null
          ? foreign
          : (lanes.get(ticket.type) ?? unknown);
      lane.waiting.push(ticket);
    }
    schedulePump();
  };

  const limit = [...lanes.values()].reduce((sum, lane) => sum + roomOf(lane), 0);
  const consumer: Consumer = bench.engine.consume(queue, limit || PARKING_BATCH, receive);
  return {
    wake: () => consumer.wake(),
    get isBusy() {
      return !isIdle();
    },
    waitingIds: () =>
      allLanes.flatMap((lane) => lane.waiting.flatMap((ticket) => ticket.jobId ?? [])),
    async stopTaking() {
      isTaking = false;
      await consumer.stop();
      const unbegun = allLanes.flatMap((lane) => lane.waiting.splice(0));
      await settleQuietly(bench, unbegun, { kind: "release" });
    },
    idle: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve))),
  };
}

function toLane(bench: WorkerBench, handler: JobHandler): Lane {
  return {
    batchSize: handler.batchSize ?? 1,
    concurrency: Math.min(handler.concurrency ?? 1, bench.concurrencyMax),
    run: (tickets) => runBatch(bench, handler, tickets),
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

/** Batches are fetched ahead; jobs that run alone are left to any worker with room. */
const roomOf = (lane: Lane): number =>
  lane.concurrency * lane.batchSize * (lane.batchSize > 1 ? 2 : 1);
