import { describe, expect, it } from "vitest";
import { type Conclusion, concludeMail } from "../../src/ingestion/finish-mail.ts";
import { ingestionTable } from "../../src/ingestion/ingestion-table.ts";
import { renewClaimLease } from "../../src/ingestion/lease-table.ts";
import type { Database } from "../../src/store/database.ts";
import { freshDatabase } from "../helpers/database.ts";
import {
  conclude,
  done,
  failed,
  foreignProgram,
  mustClaim,
  rowOf,
  untilSomebodyWaits,
} from "./scene.ts";

const table = ingestionTable();
const skipped: Conclusion = { status: "skipped", reason: "no PDF" };

const leasesOf = async (database: Database) => {
  const { rows } = await database.query<{ message_id: string; left_ms: number; waits: boolean }>(
    `SELECT message_id, (extract(epoch FROM until - postroom.now()) * 1000)::int AS left_ms,
            next_attempt_at IS NOT NULL AS waits FROM postroom.ingest_lease ORDER BY message_id`,
  );
  return rows;
};

describe("ending a message", () => {
  it.each([
    ["success", done],
    ["failed", { ...failed, retryAfterMs: 5_000 }],
    ["skipped", skipped],
  ] as const)(
    "as %s touches no other message and no other program's rows",
    async (_name, conclusion) => {
      const database = await freshDatabase();
      const other = ingestionTable({ naming: { appName: "other" } });
      await foreignProgram(database, other, "w").claim("mine");
      await foreignProgram(database, other, "w").fail("mine");
      const neighbour = await mustClaim(database, table, "neighbour");
      await conclude(database, table, neighbour, failed);
      await mustClaim(database, table, "neighbour");
      const mine = await mustClaim(database, table, "mine");
      expect(await conclude(database, table, mine, conclusion)).toBe(true);
      expect(await rowOf(database, "neighbour")).toMatchObject({
        status: "processing",
        error_message: "no luck",
      });
      const { rows } = await database.query(
        "SELECT status, error_message FROM bo_airflow.email_ingestion_state WHERE app_name = 'other'",
      );
      expect(rows).toEqual([{ status: "failed", error_message: "dag failed" }]);
      const left = (await leasesOf(database)).find((lease) => lease.message_id === "neighbour");
      expect(left).toMatchObject({ waits: false });
      expect(left!.left_ms).toBeGreaterThan(30_000);
    },
  );

  it("a failed message keeps its lease row, which has expired and says when the next attempt is due [H-04]", async () => {
    const database = await freshDatabase();
    await conclude(database, table, await mustClaim(database, table, "m"), {
      ...failed,
      retryAfterMs: 5_000,
    });
    const [lease] = await leasesOf(database);
    expect(lease).toMatchObject({ message_id: "m", waits: true });
    expect(lease!.left_ms).toBeLessThanOrEqual(0);
  });

  it("locks the row while effects are written, so that nobody takes it in between [ING-19] [R01]", async () => {
    const database = await freshDatabase();
    const dag = foreignProgram(database, table, "airflow-1");
    const ours = await mustClaim(database, table, "m");
    let theirs: Promise<boolean> | undefined;
    const isOurs = await database.transaction((tx) =>
      concludeMail(tx, table, ours, async () => {
        theirs = dag.claim("m");
        await untilSomebodyWaits(database);
        return done;
      }),
    );
    expect([isOurs, await theirs]).toEqual([true, false]);
    expect(await rowOf(database, "m")).toMatchObject({
      status: "success",
      worker_id: ours.workerId,
    });
  });
});

describe("a lease", () => {
  it("lives for as long as it was set, from the claim and from every renewal [H-04]", async () => {
    const database = await freshDatabase();
    const long = ingestionTable({ leaseMs: 900_000 });
    const ours = await mustClaim(database, long, "m");
    const span = async () => (await leasesOf(database))[0]!.left_ms;
    expect(await span()).toBeGreaterThan(600_000);
    expect(await span()).toBeLessThanOrEqual(900_000);
    await database.query("UPDATE postroom.ingest_lease SET until = postroom.now()");
    await renewClaimLease(database, long, ours);
    expect(await span()).toBeGreaterThan(600_000);
    expect(await span()).toBeLessThanOrEqual(900_000);
    await mustClaim(database, table, "neighbour");
    await renewClaimLease(database, long, ours);
    const theirs = (await leasesOf(database))[1]!.left_ms;
    expect(theirs).toBeGreaterThan(30_000);
    expect(theirs).toBeLessThan(600_000);
  });
});
