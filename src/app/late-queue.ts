import type { JobQueue } from "../jobs/job.ts";

/** For what is built before the queue, such as the handlers of its jobs: the queue is looked up at each use. */
export function lateQueue(queue: () => JobQueue): JobQueue {
  return { add: (tx, spec, jobs) => queue().add(tx, spec, jobs) };
}
