import type { Database } from "../../store/database.ts";
import type { GraphMessage } from "../messages/message.ts";
import { clearSeal } from "./notification-table.ts";
import { insertSnapshots } from "./snapshot-table.ts";

/** Lets the jobs of these notifications begin; a job without a snapshot reads its message from Graph. */
export async function unseal(
  database: Database,
  keys: readonly string[],
  snapshots: ReadonlyMap<string, GraphMessage>,
): Promise<void> {
  await database.transaction(async (tx) => {
    await insertSnapshots(tx, snapshots);
    await clearSeal(tx, keys);
  });
}
