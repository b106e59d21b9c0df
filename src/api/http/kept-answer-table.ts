/** Answers that are kept for a repeated request, by caller and idempotency key. */
import type { Queryable, Transaction } from "../../store/database.ts";

export interface KeyedRequest {
  readonly caller: string;
  readonly key: string;
  readonly operation: string;
  readonly digest: string;
}

export interface KeptAnswer {
  readonly operation: string;
  readonly digest: string;
  /** Null until the first request has ended. */
  readonly status: number | null;
  readonly contentType: string | null;
  readonly body: string | null;
  /** The first request began too long ago to be still at work. */
  readonly isStale: boolean;
}

/** Null if the request is the first of its key, which is then taken; otherwise what the key was used for. */
export async function takeKey(
  on: Queryable,
  request: KeyedRequest,
  limits: { readonly keptSeconds: number; readonly workSeconds: number },
): Promise<KeptAnswer | null> {
  await removeExpired(on, limits.keptSeconds);
  const { rowCount } = await on.query(
    `INSERT INTO postroom.kept_answer (caller, key, operation, request_digest) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [request.caller, request.key, request.operation, request.digest],
  );
  if (rowCount > 0) return null;
  const { rows } = await on.query<KeptAnswer>(
    `SELECT operation, request_digest AS digest, status, content_type AS "contentType", body,
            status IS NULL AND begun_at < postroom.now() - make_interval(secs => $3) AS "isStale"
       FROM postroom.kept_answer WHERE caller = $1 AND key = $2`,
    [request.caller, request.key, limits.workSeconds],
  );
  // Removed between the two statements: the next attempt takes it.
  return rows[0] ?? takeKey(on, request, limits);
}

async function removeExpired(on: Queryable, keptSeconds: number): Promise<void> {
  await on.query(
    `DELETE FROM postroom.kept_answer WHERE (caller, key) IN (
       SELECT caller, key FROM postroom.kept_answer
        WHERE begun_at < postroom.now() - make_interval(secs => $1)
        ORDER BY begun_at LIMIT 100 FOR UPDATE SKIP LOCKED)`,
    [keptSeconds],
  );
}

/** The first answer stays: it may have been committed together with the effect. */
export async function keepAnswer(
  on: Queryable,
  { caller, key }: Pick<KeyedRequest, "caller" | "key">,
  answer: { readonly status: number; readonly contentType: string | null; readonly body: string },
): Promise<void> {
  await on.query(
    `UPDATE postroom.kept_answer SET status = $3, content_type = $4, body = $5
      WHERE caller = $1 AND key = $2 AND status IS NULL`,
    [caller, key, answer.status, answer.contentType, answer.body],
  );
}

/** The request failed on our side, so the next one of this key is the first again. */
export async function releaseKey(
  on: Queryable,
  { caller, key }: Pick<KeyedRequest, "caller" | "key">,
): Promise<void> {
  await on.query(
    "DELETE FROM postroom.kept_answer WHERE caller = $1 AND key = $2 AND status IS NULL",
    [caller, key],
  );
}

/** Erases the answers to these callers, and those with one of these words in them. */
export async function eraseKeptAnswers(
  tx: Transaction,
  { callers, words }: { readonly callers: readonly string[]; readonly words: readonly string[] },
): Promise<void> {
  await tx.query(
    `DELETE FROM postroom.kept_answer WHERE caller = ANY($1)
        OR EXISTS (SELECT FROM unnest($2::text[]) AS word WHERE strpos(lower(body), word) > 0)`,
    [callers, words],
  );
}
