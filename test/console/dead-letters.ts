/** Jobs that ended badly, as a worker leaves them. */
import { randomUUID } from "node:crypto";
import { causeOf } from "../../src/jobs/cause.ts";
import { openDatabase } from "../../src/store/database.ts";
import type { Console } from "./open-console.ts";

const TYPE = "ensure-subscriptions";
const CODE = "graph.denied";

/** Jobs that can run again, which all died of one cause. Returns the cause. */
export async function addDeadLetters(
  { environment }: Console,
  { count, message }: { count: number; message: string },
): Promise<string> {
  const cause = causeOf(TYPE, CODE, message);
  const database = openDatabase({ url: environment["DATABASE_URL"]!, connections: 1 });
  try {
    for (let at = 0; at < count; at++) {
      const id = randomUUID();
      await database.query(
        `INSERT INTO postroom.job (id, type, queue, subject_id, correlation_id, key, payload, state, attempt,
           max_attempts, is_open, holds_key, is_dead, created_at, due_at, started_at, finished_at, error_code,
           error_message, cause)
         VALUES ($1::text::uuid, $2, 'webhook-renewal', $1, $1, $1, '{"reason":"a test"}', 'Failed', 12, 12, false, false,
           true, now(), now(), now(), now(), $3, $4, $5)`,
        [id, TYPE, CODE, message, cause],
      );
    }
  } finally {
    await database.close();
  }
  return cause;
}
