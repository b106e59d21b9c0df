import type { Database } from "../../store/database.ts";
import { forgetFoldersDeltaLink } from "../mailbox-table.ts";
import { forgetLinks } from "./folder-table.ts";

/** Makes the next round read the folder tree and every folder from the start. */
export async function resetMailbox(database: Database, mailbox: number): Promise<void> {
  await database.transaction(async (tx) => {
    await forgetLinks(tx, mailbox);
    await forgetFoldersDeltaLink(tx, mailbox);
  });
}
