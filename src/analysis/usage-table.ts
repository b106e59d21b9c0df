/** The only SQL for the use of models. */
import type { Queryable, Transaction } from "../store/database.ts";

export interface Usage {
  readonly personId: string;
  readonly day: string;
  readonly model: string;
  readonly calls: number;
  readonly failedCalls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

type Spent = Pick<Usage, "personId" | "model" | "promptTokens" | "completionTokens"> & {
  readonly hasFailed: boolean;
};

/** Returns the day on which the call counts. */
export async function addUsage(on: Queryable, usage: Spent): Promise<string> {
  const { rows } = await on.query<{ day: string }>(
    `INSERT INTO postroom.model_usage
       (person_id, day, model, calls, failed_calls, prompt_tokens, completion_tokens)
     VALUES ($1, postroom.now()::date, $2, 1, $3, $4, $5)
     ON CONFLICT (person_id, day, model) DO UPDATE SET
       calls = model_usage.calls + 1, failed_calls = model_usage.failed_calls + excluded.failed_calls,
       prompt_tokens = model_usage.prompt_tokens + excluded.prompt_tokens,
       completion_tokens = model_usage.completion_tokens + excluded.completion_tokens
     RETURNING day::text`,
    [
      usage.personId,
      usage.model,
      usage.hasFailed ? 1 : 0,
      usage.promptTokens,
      usage.completionTokens,
    ],
  );
  return rows[0]!.day;
}

/**
 * Takes tokens of the person's budget and returns the day; null if the budget is spent. One call after the other, because
 * calls at the same time would all find the same rest.
 */
export async function takeFromBudget(
  tx: Transaction,
  { personId, model, promptTokens }: Pick<Usage, "personId" | "model" | "promptTokens">,
  tokensPerDay: number,
): Promise<string | null> {
  const lock = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
  await tx.query(lock, [`budget:${personId}`]);
  if ((await usedToday(tx, personId)) >= tokensPerDay) return null;
  return addUsage(tx, { personId, model, promptTokens, completionTokens: 0, hasFailed: false });
}

/** Adds what a call used beyond what was taken for it; less than nothing if it used less. */
export async function correctUsage(on: Queryable, day: string, more: Spent): Promise<void> {
  await on.query(
    `UPDATE postroom.model_usage
        SET failed_calls = failed_calls + $4, prompt_tokens = prompt_tokens + $5, completion_tokens = completion_tokens + $6
      WHERE person_id = $1 AND day = $2::date AND model = $3`,
    [
      ...[more.personId, day, more.model, more.hasFailed ? 1 : 0],
      ...[more.promptTokens, more.completionTokens],
    ],
  );
}

/** Tokens that one person has used today, over all models. */
export async function usedToday(on: Queryable, personId: string): Promise<number> {
  const { rows } = await on.query<{ tokens: number }>(
    `SELECT coalesce(sum(prompt_tokens + completion_tokens), 0)::bigint AS tokens
       FROM postroom.model_usage WHERE person_id = $1 AND day = postroom.now()::date`,
    [personId],
  );
  return rows[0]!.tokens;
}

/** Newest day first; of one person, or of everybody. */
export async function findUsage(
  on: Queryable,
  filter: { readonly personId: string | null; readonly days: number },
): Promise<Usage[]> {
  const { rows } = await on.query<Usage>(
    `SELECT person_id AS "personId", day::text, model, calls, failed_calls AS "failedCalls",
            prompt_tokens AS "promptTokens", completion_tokens AS "completionTokens"
       FROM postroom.model_usage
      WHERE ($1::text IS NULL OR person_id = $1) AND day > postroom.now()::date - $2::integer
      ORDER BY day DESC, person_id, model`,
    [filter.personId, filter.days],
  );
  return rows;
}

export async function eraseUsage(tx: Transaction, personIds: readonly string[]): Promise<void> {
  await tx.query("DELETE FROM postroom.model_usage WHERE person_id = ANY($1)", [personIds]);
}
