/** The only SQL for the position up to which changes of documents were read. */
import type { Queryable } from "../store/database.ts";

const NAME = "documents";

/** Null before the first round. */
export async function getFeedLink(on: Queryable): Promise<string | null> {
  const { rows } = await on.query<{ link: string }>(
    "SELECT link FROM postroom.document_feed WHERE name = $1",
    [NAME],
  );
  return rows[0]?.link ?? null;
}

export async function storeFeedLink(on: Queryable, link: string): Promise<void> {
  await on.query(
    `INSERT INTO postroom.document_feed (name, link) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET link = excluded.link, changed_at = postroom.now()`,
    [NAME, link],
  );
}

export async function forgetFeedLink(on: Queryable): Promise<void> {
  await on.query("DELETE FROM postroom.document_feed WHERE name = $1", [NAME]);
}
