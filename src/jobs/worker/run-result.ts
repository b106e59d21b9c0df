import type { Job } from "../job.ts";
import type { JobOutcome } from "../outcome.ts";

/** The result of running one job. */
export interface RunResult {
  readonly job: Job;
  readonly outcome: JobOutcome;
  /** The job was marked done in the transaction of its effects. */
  readonly isCommitted: boolean;
}

/** What becomes of a job after a run: done, to be retried, dead, or taken over by another worker. */
export interface Ending {
  readonly kind: "done" | "retry" | "dead" | "lost";
  readonly code?: string;
  readonly message?: string;
}
