/** A program that is not ours: the text of the given statements, one connection, and nothing of Postroom. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const [url, fixtures] = process.argv.slice(2) as [string, string];
const client = new pg.Client({ connectionString: url });
await client.connect();

const worker = `airflow-${process.pid}`;
const given = (name: string) => {
  let n = 0;
  return readFileSync(`${fixtures}${name}.sql`, "utf8").replace(/%s/g, () => `$${++n}`);
};
const [check, claim, markSuccess, markFailed] = [
  given("check-success"),
  given("claim"),
  given("mark-success"),
  given("mark-failed"),
];

async function workOn(id: string): Promise<void> {
  if ((await client.query(check, [id])).rowCount! > 0) return;
  const claimed = await client.query(claim, [id, "b", null, null, null, worker]);
  if (claimed.rowCount === 0) return;
  await sleep(Math.random() * 20);
  if (Math.random() < 0.05) {
    await client.query(markFailed, ["dag failed", id]);
    return;
  }
  await client.query(
    `WITH first AS (
       INSERT INTO postroom.ingest_effect (email_key, attachment_sha256, fingerprint, worker)
       VALUES ($1, 'pdf', 'trade', $2) ON CONFLICT DO NOTHING RETURNING 1)
     INSERT INTO kill_trade SELECT $1, $2 FROM first`,
    [id, worker],
  );
  await sleep(Math.random() * 5);
  await client.query(markSuccess, [1, 1, "[]", id]);
}

for (;;) {
  const isLast = (await client.query("SELECT 1 FROM kill_end")).rowCount! > 0;
  const { rows } = await client.query<{ message_id: string }>(
    "SELECT message_id FROM kill_mail ORDER BY random() LIMIT 50",
  );
  for (const row of rows) await workOn(row.message_id);
  const { rowCount } = await client.query(
    `SELECT 1 FROM kill_mail m LEFT JOIN bo_airflow.email_ingestion_state s USING (message_id)
      WHERE s.status IS DISTINCT FROM 'success' LIMIT 1`,
  );
  if (rowCount === 0 && isLast) break;
  if (rowCount === 0) await sleep(20);
}
await client.end();
