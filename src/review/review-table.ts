import { type Queryable, type Transaction, toStorableText } from "../store/database.ts";
import { toJson } from "../store/storable.ts";
import type { Review, ReviewDecision, ReviewSubject } from "./review.ts";

const COLUMNS = `id, subject, line_id AS "lineId", document_id AS "documentId", trade_id AS "tradeId", reason,
  reasons, status, assignee, opened_at AS "openedAt", decided_at AS "decidedAt", decided_by AS "decidedBy",
  decision, refusal`;

export interface NewReview {
  readonly subject: ReviewSubject;
  readonly lineId: string | null;
  readonly documentId: string | null;
  readonly tradeId: string | null;
  readonly reasons: readonly string[];
}

/** Adds questions to the queue. A question that is already open stays unchanged. */
/** Returns the ids of those that were not open already. */
export async function openReviews(
  tx: Transaction,
  reviews: readonly NewReview[],
): Promise<number[]> {
  const ids: number[] = [];
  for (const review of reviews) {
    const reasons = review.reasons.map((reason) => toStorableText(reason, 500));
    const { rows } = await tx.query<{ id: number }>(
      `INSERT INTO postroom.review (subject, line_id, document_id, trade_id, reason, reasons)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING id`,
      [
        review.subject,
        review.lineId,
        review.documentId,
        review.tradeId,
        reasons[0] ?? "asked",
        toJson(reasons),
      ],
    );
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

export async function getReview(on: Queryable, id: number): Promise<Review | null> {
  const { rows } = await on.query<Review>(`SELECT ${COLUMNS} FROM postroom.review WHERE id = $1`, [
    id,
  ]);
  return rows[0] ?? null;
}

/** Locks the row until the end of the transaction, so that two people cannot decide at once. */
export async function holdReview(tx: Transaction, id: number): Promise<Review | null> {
  const { rows } = await tx.query<Review>(
    `SELECT ${COLUMNS} FROM postroom.review WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0] ?? null;
}

/** How many questions are open, and how long the oldest of them has waited. */
export async function measureOpen(
  on: Queryable,
): Promise<{ readonly open: number; readonly oldestSeconds: number }> {
  const { rows } = await on.query<{ open: number; oldestSeconds: number }>(
    `SELECT count(*) AS open,
            coalesce(extract(epoch FROM postroom.now() - min(opened_at)), 0)::float8 AS "oldestSeconds"
       FROM postroom.review WHERE status = 'open'`,
  );
  return rows[0]!;
}

/** Questions that were opened after this one and are still open, and the last of them. */
export async function countNewQuestions(
  on: Queryable,
  after: number,
): Promise<{ readonly count: number; readonly last: number }> {
  const { rows } = await on.query<{ count: number; last: number }>(
    `SELECT count(*) AS count, coalesce(max(id), 0) AS last
       FROM postroom.review WHERE status = 'open' AND id > $1`,
    [after],
  );
  return rows[0]!;
}

export interface ReviewFilter {
  readonly status?: Review["status"];
  readonly subject?: ReviewSubject;
  readonly assignee?: string;
  readonly documentId?: string;
  /** Continues after the question of this id. */
  readonly after?: number;
  readonly limit?: number;
}

/** Oldest first. */
export async function findReviews(on: Queryable, filter: ReviewFilter = {}): Promise<Review[]> {
  const { rows } = await on.query<Review>(
    `SELECT ${COLUMNS} FROM postroom.review
      WHERE ($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR subject = $2)
        AND ($3::text IS NULL OR assignee = $3) AND ($4::uuid IS NULL OR document_id = $4)
        AND ($6::bigint IS NULL
             OR (opened_at, id) > (SELECT c.opened_at, c.id FROM postroom.review c WHERE c.id = $6))
      ORDER BY opened_at, id LIMIT $5`,
    [
      filter.status ?? null,
      filter.subject ?? null,
      filter.assignee ?? null,
      filter.documentId ?? null,
      filter.limit ?? 200,
      filter.after ?? null,
    ],
  );
  return rows;
}

/** What a reviewer needs to tell one question from another. */
export interface ReviewSubjectView {
  readonly file: string | null;
  readonly sender: string | null;
  readonly messageId: string | null;
  readonly archivePath: string | null;
  /** The trade as it was read, in a few words. */
  readonly trade: string | null;
}

export async function findReviewSubjects(
  on: Queryable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ReviewSubjectView>> {
  const { rows } = await on.query<ReviewSubjectView & { id: number }>(
    `SELECT r.id, d.filename AS file, d.sender_email AS sender, d.message_id AS "messageId",
            d.archive_path AS "archivePath",
            nullif(concat_ws(' ', f->>'direction', f->>'quantity',
                     coalesce(f->>'isin', f->>'ticker', f->>'sedol', f->>'cusip', f->>'wkn', f->>'name'),
                     'on ' || (f->>'tradeDate'), 'ref. ' || (f->>'reference')), '') AS trade
       FROM postroom.review r
       LEFT JOIN postroom.trade_line l ON l.id = r.line_id
       LEFT JOIN postroom.trade t ON t.id = r.trade_id
       LEFT JOIN postroom.trade_document d ON d.id = coalesce(r.document_id, l.document_id)
       CROSS JOIN LATERAL (SELECT coalesce(l.facts, t.facts) AS f) AS facts
      WHERE r.id = ANY($1::bigint[])`,
    [ids],
  );
  return new Map(rows.map(({ id, ...about }) => [id, about]));
}

export interface ReviewStats {
  readonly open: number;
  readonly decided: number;
  readonly oldestAt: Date | null;
}

export async function countReviews(on: Queryable): Promise<ReviewStats> {
  const { rows } = await on.query<ReviewStats>(
    `SELECT count(*) FILTER (WHERE status = 'open') AS open,
            count(*) FILTER (WHERE status = 'decided') AS decided,
            min(opened_at) FILTER (WHERE status = 'open') AS "oldestAt" FROM postroom.review`,
  );
  return rows[0]!;
}

/** Why questions are open, most frequent first. */
export async function countReviewReasons(
  on: Queryable,
): Promise<{ readonly reason: string; readonly count: number }[]> {
  const { rows } = await on.query<{ reason: string; count: number }>(
    `SELECT reason, count(*) AS count FROM postroom.review WHERE status = 'open'
      GROUP BY reason ORDER BY count DESC, reason LIMIT 20`,
  );
  return rows;
}

export async function assignReview(
  on: Queryable,
  id: number,
  assignee: string | null,
): Promise<boolean> {
  const { rowCount } = await on.query(
    "UPDATE postroom.review SET assignee = $2 WHERE id = $1 AND status = 'open'",
    [id, assignee],
  );
  return rowCount > 0;
}

export async function storeDecision(
  tx: Transaction,
  id: number,
  decided: { decision: ReviewDecision; by: string },
): Promise<void> {
  await tx.query(
    `UPDATE postroom.review
        SET status = 'decided', decision = $2, decided_by = $3, decided_at = postroom.now(), refusal = NULL
      WHERE id = $1`,
    [id, toJson(decided.decision), decided.by],
  );
}

export async function markApplied(tx: Transaction, id: number): Promise<void> {
  await tx.query("UPDATE postroom.review SET status = 'applied' WHERE id = $1", [id]);
}

/** Opens the question again with the reason why the decision could not be carried out. */
export async function reopenReview(tx: Transaction, id: number, refusal: string): Promise<void> {
  await tx.query("UPDATE postroom.review SET status = 'open', refusal = $2 WHERE id = $1", [
    id,
    toStorableText(refusal),
  ]);
}

/** Closes the questions about a document that is not a contract note. */
export async function closeReviewsOf(
  tx: Transaction,
  documentId: string,
  by: string,
): Promise<void> {
  await tx.query(
    `UPDATE postroom.review SET status = 'applied', decided_by = coalesce(decided_by, $2),
            decided_at = coalesce(decided_at, postroom.now())
      WHERE document_id = $1 AND status <> 'applied'`,
    [documentId, by],
  );
}

/** Erases the questions about these trades and documents. Returns how many. */
export async function eraseReviews(
  tx: Transaction,
  of: { readonly trades: readonly string[]; readonly documents: readonly string[] },
): Promise<number> {
  const { rowCount } = await tx.query(
    `DELETE FROM postroom.review WHERE trade_id = ANY($1::uuid[]) OR document_id = ANY($2::uuid[])
        OR line_id IN (SELECT id FROM postroom.trade_line WHERE document_id = ANY($2::uuid[]))`,
    [of.trades, of.documents],
  );
  return rowCount;
}
