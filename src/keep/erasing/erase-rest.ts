/** What is left once trades, mail and documents are gone: people, jobs, answers that were kept, the log of actions. */
import type { Transaction } from "../../store/database.ts";
import type { ErasedRow, Scope } from "./scope.ts";
import { erased, run } from "./statements.ts";

export async function eraseRest(tx: Transaction, scope: Scope): Promise<ErasedRow[]> {
  const { address, ids, names } = scope;
  const namesThem = (column: string) => `(strpos(lower(${column}::text), $1) > 0
    OR EXISTS (SELECT FROM erased_trade t WHERE strpos(${column}::text, t.id::text) > 0)
    OR EXISTS (SELECT FROM erased_note n WHERE strpos(${column}::text, n.id::text) > 0))`;
  await run(tx, `DELETE FROM postroom.sink_outbox WHERE ${namesThem("data")}`, [address]);
  await run(tx, `DELETE FROM postroom.kept_answer WHERE caller = ANY($2) OR ${namesThem("body")}`, [
    address,
    ids,
  ]);
  // Who a kept trade belongs to is found by the name, also by an erasure after the hold.
  await run(
    tx,
    `DELETE FROM postroom.person p WHERE email = $1
        AND NOT EXISTS (SELECT FROM postroom.trade t WHERE t.username = p.username AND p.username = ANY($2))`,
    [address, names],
  );
  await run(tx, "DELETE FROM postroom.approved_sender WHERE pattern = $1", [address]);
  const jobs = await eraseJobs(tx, scope);
  await redactActions(tx, scope);
  return [jobs];
}

/** Jobs that still run are left to their workers. */
async function eraseJobs(tx: Transaction, { address, ids }: Scope): Promise<ErasedRow> {
  await tx.query(
    `CREATE TEMP TABLE erased_job ON COMMIT DROP AS SELECT id FROM postroom.job j WHERE NOT j.is_open
        AND (strpos(lower(j.payload::text), $1) > 0 OR j.owner_id = ANY($2)
          OR strpos(lower(concat_ws(' ', j.note, j.error_message)), $1) > 0
          OR j.subject_id IN (SELECT sha256 FROM erased_note)
          OR j.subject_id IN (SELECT message_id FROM erased_mail))
        AND j.subject_id NOT IN (SELECT message_id FROM held_message)`,
    [address, ids],
  );
  await run(tx, "DELETE FROM postroom.job_event WHERE job_id IN (SELECT id FROM erased_job)");
  return erased(
    tx,
    "finished jobs",
    "DELETE FROM postroom.job WHERE id IN (SELECT id FROM erased_job)",
  );
}

async function redactActions(tx: Transaction, { address, ids }: Scope): Promise<void> {
  await run(
    tx,
    "UPDATE postroom.action SET who_name = NULL WHERE who = ANY($1) AND who_name IS NOT NULL",
    [ids],
  );
  await run(
    tx,
    `UPDATE postroom.action SET path = '(erased)'
      WHERE strpos(lower(path), $1) > 0 OR strpos(lower(path), lower($2)) > 0`,
    [address, encodeURIComponent(address)],
  );
}
