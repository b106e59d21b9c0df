import type { Queryable, Transaction } from "../store/database.ts";
import { toJson } from "../store/storable.ts";

export type DecisionKind =
  /** A trade line became a trade. */
  | "confirm"
  /** A trade line reports a known trade. */
  | "same"
  | "cancel"
  | "amend"
  /** A trade was linked to an order, or the link was removed. */
  | "link"
  | "unlink"
  /** A person was asked. */
  | "ask"
  | "reject"
  | "not-a-note"
  | "undo";

/** The actor of a decision that no person made. */
export const POSTROOM = "postroom";

export interface NewDecision {
  readonly kind: DecisionKind;
  /** `postroom`, or the person who decided. */
  readonly actor: string;
  readonly lineId?: string | null;
  readonly tradeId?: string | null;
  readonly documentId?: string | null;
  readonly orderId?: number | null;
  /** The reasons, one sentence each. */
  readonly explanation: readonly string[];
  /** What an undo needs to know about the state before. */
  readonly before?: object;
  readonly undoes?: number;
}

export interface Decision {
  readonly id: number;
  readonly kind: DecisionKind;
  readonly actor: string;
  readonly lineId: string | null;
  readonly tradeId: string | null;
  readonly documentId: string | null;
  readonly orderId: number | null;
  readonly explanation: readonly string[];
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly undoes: number | null;
  readonly undoneBy: number | null;
  readonly at: Date;
}

const COLUMNS = `id, kind, actor, line_id AS "lineId", trade_id AS "tradeId", document_id AS "documentId",
  order_id AS "orderId", explanation, before, undoes, undone_by AS "undoneBy", at`;

export async function recordDecision(on: Queryable, decision: NewDecision): Promise<number> {
  const { rows } = await on.query<{ id: number }>(
    `INSERT INTO postroom.trade_decision (kind, actor, line_id, trade_id, document_id, order_id, explanation,
            before, undoes)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id`,
    [
      decision.kind,
      decision.actor,
      decision.lineId ?? null,
      decision.tradeId ?? null,
      decision.documentId ?? null,
      decision.orderId ?? null,
      toJson(decision.explanation),
      decision.before === undefined ? null : toJson(decision.before),
      decision.undoes ?? null,
    ],
  );
  return rows[0]!.id;
}

/** Locks the row until the end of the transaction, so that nobody undoes it twice. */
export async function lockDecision(on: Queryable, id: number): Promise<Decision | null> {
  const { rows } = await on.query<Decision>(
    `SELECT ${COLUMNS} FROM postroom.trade_decision WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0] ?? null;
}

export async function markUndone(on: Queryable, id: number, by: number): Promise<void> {
  await on.query("UPDATE postroom.trade_decision SET undone_by = $2 WHERE id = $1", [id, by]);
}

export async function findDecisions(
  on: Queryable,
  about: { tradeId?: string; documentId?: string; lineId?: string },
): Promise<Decision[]> {
  const { rows } = await on.query<Decision>(
    `SELECT ${COLUMNS} FROM postroom.trade_decision
      WHERE trade_id = $1 OR document_id = $2 OR line_id = $3
         OR line_id IN (SELECT id FROM postroom.trade_line WHERE trade_id = $1) ORDER BY id`,
    [about.tradeId ?? null, about.documentId ?? null, about.lineId ?? null],
  );
  return rows;
}

/** Erases the decisions about these trades and documents; a decision that undoes one of them stays without it. */
export async function eraseDecisions(
  tx: Transaction,
  of: { readonly trades: readonly string[]; readonly documents: readonly string[] },
): Promise<void> {
  const { rows } = await tx.query<{ id: number }>(
    `SELECT id FROM postroom.trade_decision
      WHERE trade_id = ANY($1::uuid[]) OR document_id = ANY($2::uuid[])
         OR line_id IN (SELECT id FROM postroom.trade_line WHERE document_id = ANY($2::uuid[]))`,
    [of.trades, of.documents],
  );
  const ids = rows.map(({ id }) => id);
  await tx.query("UPDATE postroom.trade_decision SET undoes = NULL WHERE undoes = ANY($1)", [ids]);
  await tx.query("UPDATE postroom.trade_decision SET undone_by = NULL WHERE undone_by = ANY($1)", [
    ids,
  ]);
  await tx.query("DELETE FROM postroom.trade_decision WHERE id = ANY($1)", [ids]);
}
