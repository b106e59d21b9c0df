import type { Queryable } from "../store/database.ts";

/** The steps of the walk; an operator reads them in this order. */
export const STEPS = {
  "0": "id",
  "1": "check",
  "2": "claim",
  "3": "fetch",
  "4": "process",
  "5": "archive",
  "6": "mark",
  "6b": "failed",
} as const;
export type Step = keyof typeof STEPS;

export interface TraceLine {
  readonly step: Step;
  readonly name: string;
  readonly worker: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

export async function recordStep(
  on: Queryable,
  line: { messageId: string; worker: string; step: Step; detail?: object },
): Promise<void> {
  await on.query(
    `INSERT INTO postroom.ingest_trace (message_id, worker, step, name, detail) VALUES ($1, $2, $3, $4, $5)`,
    [line.messageId, line.worker, line.step, STEPS[line.step], JSON.stringify(line.detail ?? {})],
  );
}

export async function findSteps(on: Queryable, messageId: string): Promise<TraceLine[]> {
  const { rows } = await on.query<TraceLine>(
    `SELECT step, name, worker, detail, at FROM postroom.ingest_trace WHERE message_id = $1 ORDER BY id`,
    [messageId],
  );
  return rows;
}

export async function removeStepsBefore(on: Queryable, before: Date): Promise<number> {
  const { rowCount } = await on.query("DELETE FROM postroom.ingest_trace WHERE at < $1", [before]);
  return rowCount;
}
