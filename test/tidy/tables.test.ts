/** Breaks every rule about SQL, to see that it is noticed. */
import { describe, expect, it } from "vitest";
import { hiddenTables, sharedTables, strayAgreedText, straySql, unstorableJson } from "./tables.ts";

const file = (path: string, sql: string) => ({ path, text: `await tx.query(\`${sql}\`);` });
const HOME = file("src/jobs/job-table.ts", "INSERT INTO postroom.job (id) VALUES ($1)");

describe("the rule of one writing file for each table", () => {
  it.each([
    "INSERT INTO postroom.job (id) VALUES ($1)",
    "UPDATE postroom.job SET state = 2",
    "UPDATE ONLY postroom.job AS j\n SET state = 2",
    "update postroom.job set state = 2",
    "DELETE FROM postroom.job WHERE id = $1",
    'DELETE FROM "postroom"."job"',
    "MERGE INTO postroom.job AS j USING postroom.trade AS t ON true WHEN MATCHED THEN DELETE",
    "TRUNCATE postroom.job",
    "WITH gone AS (DELETE FROM postroom.job RETURNING id) SELECT id FROM gone",
  ])("sees a second writer: %s", (sql) => {
    const found = sharedTables([HOME, file("src/jobs/sweep.ts", sql)]);
    expect(found).toEqual(["postroom.job is written by src/jobs/job-table.ts, src/jobs/sweep.ts"]);
  });

  it("refuses a name that is filled in, except where it names any table", () => {
    for (const sql of [`UPDATE \${schema}.state SET a = 1`, `DELETE FROM \${table.name}`]) {
      expect(hiddenTables([file("src/a/x-table.ts", sql)])).toHaveLength(1);
      expect(hiddenTables([file("src/ingestion/ingestion-table.ts", sql)])).toEqual([]);
    }
    expect(hiddenTables([HOME])).toEqual([]);
  });

  it.each([
    "SELECT id FROM postroom.job FOR UPDATE",
    "SELECT id FROM postroom.job FOR NO KEY UPDATE SKIP LOCKED",
    "INSERT INTO postroom.trade (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET a = 1",
  ])("does not take a reader for a writer: %s", (sql) => {
    expect(sharedTables([HOME, file("src/jobs/sweep.ts", sql)])).toEqual([]);
  });

  it("leaves comments and tests alone", () => {
    const comment = { path: "src/jobs/x.ts", text: "// UPDATE postroom.job is done elsewhere" };
    const test = file("src/jobs/x.test.ts", "DELETE FROM postroom.job");
    expect(sharedTables([HOME, comment, test])).toEqual([]);
  });
});

describe("an erasure", () => {
  it("is no exception: a folder whose files all erase writes no table of another file", () => {
    const erasing = file("src/keep/erasing/erase-rest.ts", "DELETE FROM postroom.job");
    expect(sharedTables([HOME, erasing])).toHaveLength(1);
    expect(straySql([erasing], [])).toHaveLength(1);
    expect(straySql([erasing], [erasing.path])).toEqual([
      `${erasing.path} is listed as a reader and writes postroom.job`,
    ]);
  });
});

describe("the text that other programs run too", () => {
  it("is run by the shared table's own file and by no other", () => {
    const importer = (path: string) => ({
      path,
      text: 'import { CLAIM } from "./shared-table.ts";',
    });
    expect(strayAgreedText([importer("src/ingestion/ingestion-table.ts")])).toEqual([]);
    expect(strayAgreedText([importer("src/ingestion/claim-mail.ts")])).toHaveLength(1);
  });
});

describe("the rule that SQL is in table files", () => {
  const READ = "SELECT j.id FROM postroom.job j";

  it.each([
    READ,
    `SELECT 1 FROM \${table.name}`,
    "SELECT postroom.now()",
    "INSERT INTO postroom.x (a) VALUES (1)",
  ])("sees it elsewhere: %s", (sql) => {
    expect(straySql([file("src/api/x.ts", sql)], [])).toHaveLength(1);
  });

  it("accepts it in a table, in the store and in a listed reader", () => {
    const reader = file("src/mailbox/operating/trace-mail.ts", READ);
    const homes = [file("src/a/job-table.ts", READ), file("src/store/lease.ts", READ)];
    expect(straySql([...homes, reader], [reader.path])).toEqual([]);
  });

  it("refuses a listed reader that writes or is no longer there", () => {
    const reader = file("src/mailbox/operating/trace-mail.ts", "DELETE FROM postroom.job");
    expect(straySql([reader], [reader.path])).toHaveLength(1);
    expect(straySql([], [reader.path])).toEqual([
      "src/mailbox/operating/trace-mail.ts is not there",
    ]);
  });

  it("does not mistake English for SQL", () => {
    const english = file("src/api/x.ts", "select a folder from the list, update it");
    expect(straySql([english], [])).toEqual([]);
  });
});

describe("the rule that tables write storable JSON", () => {
  it("sees JSON.stringify in a table, and nowhere else", () => {
    const text = "on.query(sql, [JSON.stringify(value)])";
    expect(unstorableJson([file("src/a/job-table.ts", text)])).toHaveLength(1);
    expect(unstorableJson([file("src/a/stream.ts", text)])).toEqual([]);
  });
});
