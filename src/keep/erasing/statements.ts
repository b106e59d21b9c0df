/** Runs one statement of an erasure and says what it did. */
import type { Queryable, Transaction } from "../../store/database.ts";
import type { ErasedRow } from "./scope.ts";

export async function run(
  tx: Transaction,
  sql: string,
  values: readonly unknown[] = [],
): Promise<number> {
  return (await tx.query(sql, values)).rowCount;
}

export async function erased(
  tx: Transaction,
  place: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<ErasedRow> {
  return toCount("erased", place, await run(tx, sql, values));
}

export async function redacted(
  tx: Transaction,
  place: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<ErasedRow> {
  return toCount("redacted", place, await run(tx, sql, values));
}

const toCount = (action: ErasedRow["action"], place: string, count: number): ErasedRow => ({
  ...{ action, place, item: null, count, reason: null },
});

/** Things that the caller has to remove. */
export async function findOutside(
  on: Queryable,
  action: "file" | "index",
  sql: string,
  values: readonly unknown[] = [],
): Promise<ErasedRow[]> {
  const { rows } = await on.query<{ place: string; item: string }>(sql, values);
  return rows.map((row) => ({ ...row, action, count: 1, reason: null }));
}
