/** The optional trigger that makes other programs on the shared table respect a live claim. */
import type { Database, Queryable } from "../store/database.ts";
import type { IngestionTable } from "./ingestion-table.ts";

const TRIGGER = "postroom_guard_email_state";

/** `foreign` is a trigger with our name that calls an unknown function. */
export type GuardState = "installed" | "absent" | "disabled" | "foreign";

export async function installGuard(database: Database, table: IngestionTable): Promise<void> {
  await database.transaction(async (tx) => {
    // Waiting here would block every program on the table.
    await tx.query("SET LOCAL lock_timeout = '3s'");
    await tx.query(`DROP TRIGGER IF EXISTS ${TRIGGER} ON ${table.name}`);
    await tx.query(
      `CREATE TRIGGER ${TRIGGER} BEFORE UPDATE ON ${table.name} FOR EACH ROW
         WHEN (OLD.app_name = '${table.naming.appName}')
         EXECUTE FUNCTION postroom.guard_email_state()`,
    );
  });
}

export async function removeGuard(database: Database, table: IngestionTable): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query("SET LOCAL lock_timeout = '3s'");
    await tx.query(`DROP TRIGGER IF EXISTS ${TRIGGER} ON ${table.name}`);
  });
}

export async function probeGuard(on: Queryable, table: IngestionTable): Promise<GuardState> {
  const { rows } = await on.query<{ enabled: string; is_ours: boolean }>(
    `SELECT t.tgenabled AS enabled, t.tgfoid = 'postroom.guard_email_state'::regproc AS is_ours
       FROM pg_trigger t WHERE t.tgrelid = $1::regclass AND t.tgname = $2`,
    [table.name, TRIGGER],
  );
  const trigger = rows[0];
  if (trigger === undefined) return "absent";
  if (!trigger.is_ours) return "foreign";
  return trigger.enabled === "O" || trigger.enabled === "A" ? "installed" : "disabled";
}
