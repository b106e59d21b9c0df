/** A copy of a save's state in Dataverse, for people and flows that look there. Nothing in Postroom reads it. */
import type { Actors } from "../../filing/actors.ts";
import type { Log } from "../../lib/log.ts";
import type { SaveToFinish } from "./take-file.ts";

/** The column holds no more. */
const KEY_LENGTH_MAX = 450;
const STATUS = { Queued: 0, Running: 1, Completed: 2, Failed: 3, Cancelled: 4 } as const;

export async function mirrorJob(
  { actors, log }: { readonly actors: Actors; readonly log: Log },
  { id, key, facts }: SaveToFinish,
  state: {
    readonly status: keyof typeof STATUS;
    readonly progress: number;
    readonly stage: string;
  },
): Promise<void> {
  try {
    await actors.app.dataverse.upsert("sprk_processingjobs", id, {
      sprk_name: `${facts.kind}Save`,
      sprk_jobid: id,
      sprk_jobtype: `${facts.kind}Save`,
      sprk_idempotencykey: `${id}:${key}`.slice(0, KEY_LENGTH_MAX),
      sprk_status: STATUS[state.status],
      sprk_progress: state.progress,
      sprk_currentstage: state.stage,
    });
  } catch (error) {
    log.warn({ saveId: id, err: error }, "the state of a save was not copied to Dataverse");
  }
}
