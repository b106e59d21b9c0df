import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import {
  ensureIngestionTable,
  ingestionTable,
  isDone,
} from "../../src/ingestion/ingestion-table.ts";
import { assertMessageId } from "../../src/ingestion/message-id.ts";
import * as given from "../../src/ingestion/shared-table.ts";
import { newWorkerId } from "../../src/ingestion/worker-id.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { openDatabase } from "../../src/store/database.ts";
import { emptyDatabaseUrl, freshDatabase } from "../helpers/database.ts";

const fixture = async (name: string) =>
  (await readFile(new URL(`./fixtures/${name}.sql`, import.meta.url), "utf8")).replace(/\n$/, "");

describe("the agreed statements", () => {
  it("are kept character for character [ING-01] [ING-05] [ING-06] [ING-14] [ING-15] [ING-23]", async () => {
    expect(given.CREATE_TABLE).toBe(await fixture("create-table"));
    expect(given.CHECK_SUCCESS).toBe(await fixture("check-success"));
    expect(given.CLAIM).toBe(await fixture("claim"));
    expect(given.MARK_SUCCESS).toBe(await fixture("mark-success"));
    expect(given.MARK_FAILED).toBe(await fixture("mark-failed"));
  });

  it("run unchanged except for the driver's placeholders [ING-04]", async () => {
    const table = ingestionTable();
    expect(table.sql.claim.replace(/\$\d/g, "%s")).toBe(await fixture("claim"));
    expect(table.sql.markSuccess.replace(/\$\d/g, "%s")).toBe(await fixture("mark-success"));
    expect(table.sql.markFailed.replace(/\$\d/g, "%s")).toBe(await fixture("mark-failed"));
    expect(table.sql.checkSuccess.replace(/\$\d/g, "%s")).toBe(await fixture("check-success"));
    expect(table.sql.claim).toContain("$1, $2, $3, $4, $5, 'processing', $6");
  });

  it("accept a site's schema, app name and columns", async () => {
    const table = ingestionTable({
      naming: {
        schema: "back_office",
        appName: "notes-uk",
        attachmentsColumn: "attachments_written",
        archivePathsColumn: "gcs_paths",
      },
    });
    const database = openDatabase({ url: await emptyDatabaseUrl() });
    await ensureIngestionTable(database, table);
    await ensureIngestionTable(database, table);
    await database.query(table.sql.claim, ["m1", "box@x.example", null, null, null, "dag"]);
    await database.query(table.sql.markSuccess, [2, 3, JSON.stringify(["p"]), "m1"]);
    expect(await isDone(database, table, "m1")).toBe(true);
    const { rows } = await database.query("SELECT * FROM back_office.email_ingestion_state");
    expect(rows[0]).toMatchObject({
      app_name: "notes-uk",
      attachments_written: 2,
      trades_extracted: 3,
      gcs_paths: ["p"],
    });
    await database.close();
  });

  it("refuse a name that could contain SQL", () => {
    for (const naming of [
      { schema: "x; DROP TABLE y" },
      { schema: "" },
      { appName: "o'brien" },
      { attachmentsColumn: "a b" },
      { archivePathsColumn: "A" },
    ]) {
      expect(() => ingestionTable({ naming })).toThrow(/not a usable name/);
    }
  });
});

describe("the shared table", () => {
  it("has the columns, the default and the unique key that were agreed on [ING-01] [ING-02] [ING-03]", async () => {
    const database = await freshDatabase();
    const ours = await columnsOf(database);
    await database.query("ALTER TABLE bo_airflow.email_ingestion_state RENAME TO ours");
    await database.query("ALTER TABLE bo_airflow.ours RENAME CONSTRAINT unique_app_message TO o");
    await database.query("ALTER INDEX bo_airflow.email_ingestion_state_pkey RENAME TO op");
    await database.query(await fixture("create-table"));
    expect(ours).toEqual(await columnsOf(database));
    await database.query(
      "INSERT INTO bo_airflow.email_ingestion_state (app_name, message_id, mailbox_email) VALUES ('a', 'm', 'b')",
    );
    const again = database.query(
      "INSERT INTO bo_airflow.email_ingestion_state (app_name, message_id, mailbox_email) VALUES ('a', 'm', 'b')",
    );
    await expect(again).rejects.toThrow(/unique_app_message/);
    const { rows } = await database.query("SELECT status FROM bo_airflow.email_ingestion_state");
    expect(rows).toEqual([{ status: "processing" }]);
  });

  it("refuses an id that is too long and a message without an id [WEB-16]", () => {
    expect(() => assertMessageId("x".repeat(255))).not.toThrow();
    expect(() => assertMessageId("x".repeat(256))).toThrow(/256 characters/);
    expect(() => assertMessageId("")).toThrow(/has no id/);
  });

  it("identifies a worker by a new id for every attempt", () => {
    const [one, two] = [newWorkerId(systemRandom), newWorkerId(systemRandom)];
    expect(one).toMatch(new RegExp(`^ts:.+:${process.pid}:[0-9a-f-]{36}$`));
    expect(one).not.toBe(two);
    expect(one.length).toBeLessThanOrEqual(255);
  });
});

async function columnsOf(database: Awaited<ReturnType<typeof freshDatabase>>) {
  const { rows } = await database.query(
    `SELECT column_name, data_type, character_maximum_length, is_nullable,
            regexp_replace(column_default, 'nextval.*', 'nextval') AS column_default
       FROM information_schema.columns
      WHERE table_schema = 'bo_airflow' AND table_name = 'email_ingestion_state' ORDER BY ordinal_position`,
  );
  return rows;
}
