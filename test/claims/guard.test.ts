import { describe, expect, it } from "vitest";
import { installGuard, probeGuard, removeGuard } from "../../src/ingestion/guard.ts";
import { ingestionTable } from "../../src/ingestion/ingestion-table.ts";
import { openDatabase } from "../../src/store/database.ts";
import { freshDatabase } from "../helpers/database.ts";
import {
  conclude,
  expireLease,
  foreignProgram,
  mustClaim,
  rowOf,
  untilSomebodyWaits,
} from "./scene.ts";

const table = ingestionTable();

async function guarded() {
  const database = await freshDatabase();
  await installGuard(database, table);
  return { database, dag: foreignProgram(database, table, "airflow-1") };
}

describe("the guard on the shared table", () => {
  it("can be installed twice, probed and removed", async () => {
    const database = await freshDatabase();
    expect(await probeGuard(database, table)).toBe("absent");
    await database.query(
      `CREATE FUNCTION g() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
       CREATE TABLE other (n int);
       CREATE TRIGGER postroom_guard_email_state BEFORE UPDATE ON other FOR EACH ROW EXECUTE FUNCTION g();
       CREATE TRIGGER others BEFORE UPDATE ON bo_airflow.email_ingestion_state FOR EACH ROW EXECUTE FUNCTION g();`,
    );
    expect(await probeGuard(database, table)).toBe("absent");
    await installGuard(database, table);
    await installGuard(database, table);
    expect(await probeGuard(database, table)).toBe("installed");
    await database.query(
      "ALTER TABLE bo_airflow.email_ingestion_state DISABLE TRIGGER postroom_guard_email_state",
    );
    expect(await probeGuard(database, table)).toBe("disabled");
    await removeGuard(database, table);
    expect(await probeGuard(database, table)).toBe("absent");
    await database.query(
      `CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
    );
    await database.query(
      "CREATE TRIGGER postroom_guard_email_state BEFORE UPDATE ON bo_airflow.email_ingestion_state FOR EACH ROW EXECUTE FUNCTION f()",
    );
    expect(await probeGuard(database, table)).toBe("foreign");
  });

  it("prevents another program from taking a live claim [ING-19] [R01]", async () => {
    const database = await freshDatabase();
    const dag = foreignProgram(database, table, "airflow-1");
    const first = await mustClaim(database, table, "m");
    expect(await dag.claim("m")).toBe(true);
    expect(await conclude(database, table, first)).toBe(false);
    await installGuard(database, table);
    const second = await mustClaim(database, table, "n");
    expect(await dag.claim("n")).toBe(false);
    expect((await rowOf(database, "n"))?.["worker_id"]).toBe(second.workerId);
    expect(await conclude(database, table, second)).toBe(true);
  });

  it("lets a dead claim be taken, and a failed one", async () => {
    const { database, dag } = await guarded();
    await mustClaim(database, table, "m");
    await expireLease(database, "m");
    expect(await dag.claim("m")).toBe(true);
    await dag.fail("m");
    expect(await dag.claim("m")).toBe(true);
  });

  it("a late failure cannot undo a success and raises a warning [ING-08]", async () => {
    const { database, dag } = await guarded();
    await conclude(database, table, await mustClaim(database, table, "m"));
    const client = await database.pool.connect();
    const notices: string[] = [];
    client.on("notice", (notice) => notices.push(notice.message ?? ""));
    const late = await client.query(table.sql.markFailed, ["late", "m"]);
    client.release();
    expect(late.rowCount).toBe(0);
    expect(notices.join()).toContain("message m stays success");
    expect(await rowOf(database, "m")).toMatchObject({ status: "success", error_message: null });
    expect(await dag.claim("m")).toBe(false);
  });

  it("a person can still change a finished row on purpose", async () => {
    const { database } = await guarded();
    await conclude(database, table, await mustClaim(database, table, "m"));
    await database.transaction(async (tx) => {
      await tx.query("SET LOCAL postroom.ingest_override = 'on'");
      await tx.query(table.sql.markFailed, ["by hand", "m"]);
    });
    expect((await rowOf(database, "m"))?.["status"]).toBe("failed");
  });

  it("does not touch other programs' rows on the same table", async () => {
    const { database } = await guarded();
    const other = foreignProgram(database, ingestionTable({ naming: { appName: "other" } }), "w1");
    const second = foreignProgram(database, ingestionTable({ naming: { appName: "other" } }), "w2");
    await other.claim("m");
    expect(await second.claim("m")).toBe(true);
    await second.succeed("m");
    await second.fail("m");
    expect((await rowOf(database, "m"))?.["status"]).toBe("failed");
  });

  it("works for a program that has no right to read our tables [ING-23]", async () => {
    const { database } = await guarded();
    await mustClaim(database, table, "m");
    const role = `dag_${Math.random().toString(36).slice(2)}`;
    await database.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
    await database.query(`GRANT USAGE ON SCHEMA bo_airflow TO ${role}`);
    await database.query(`GRANT ALL ON ALL TABLES IN SCHEMA bo_airflow TO ${role}`);
    await database.query(`GRANT ALL ON ALL SEQUENCES IN SCHEMA bo_airflow TO ${role}`);
    const url = new URL(database.url);
    url.username = role;
    url.password = "x";
    const theirs = openDatabase({ url: url.href, connections: 1 });
    const dag = foreignProgram(theirs, table, "airflow-1");
    await expect(theirs.query("SELECT * FROM postroom.ingest_lease")).rejects.toThrow(/denied/);
    expect(await dag.claim("m")).toBe(false);
    expect(await dag.claim("n")).toBe(true);
    await dag.succeed("n");
    expect(await dag.isDone("n")).toBe(true);
    await theirs.close();
  });

  it("sees a claim that was committed while the other program waited [ING-09] [R01]", async () => {
    const { database, dag } = await guarded();
    await mustClaim(database, table, "m");
    await expireLease(database, "m");
    const ours = await database.pool.connect();
    await ours.query("BEGIN");
    await ours.query(table.sql.claim, ["m", "b", null, null, null, "ts:new"]);
    await ours.query(
      "UPDATE postroom.ingest_lease SET owner = 'ts:new', until = postroom.now() + interval '1 minute'",
    );
    const theirs = dag.claim("m");
    await untilSomebodyWaits(database);
    await ours.query("COMMIT");
    ours.release();
    expect(await theirs).toBe(false);
    expect((await rowOf(database, "m"))?.["worker_id"]).toBe("ts:new");
  });
});
