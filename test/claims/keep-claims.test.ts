import { describe, expect, it } from "vitest";
import { findDoneAlias, recordAliases } from "../../src/ingestion/alias-table.ts";
import { countConflicts, recordConflict } from "../../src/ingestion/conflict-table.ts";
import { setForeignLease } from "../../src/ingestion/foreign-lease-table.ts";
import { ingestionTable } from "../../src/ingestion/ingestion-table.ts";
import { reapDeadClaims, startHeartbeat } from "../../src/ingestion/keep-claims.ts";
import { findOverdueMails, renewClaimLease } from "../../src/ingestion/lease-table.ts";
import { emailKeyOf } from "../../src/ingestion/mail-key.ts";
import { createManualClock } from "../../src/lib/clock.ts";
import type { Database } from "../../src/store/database.ts";
import { freshDatabase } from "../helpers/database.ts";
import {
  claim,
  conclude,
  expireLease,
  failed,
  foreignProgram,
  mustClaim,
  rowOf,
  untilSomebodyWaits,
} from "./scene.ts";

const table = ingestionTable();
const reap = (database: Database) => database.transaction((tx) => reapDeadClaims(tx, table));

describe("the reaper", () => {
  it("turns a dead claim into a failed one that everybody can see and claim [R02]", async () => {
    const database = await freshDatabase();
    const dead = await mustClaim(database, table, "m");
    expect(await reap(database)).toEqual([]);
    await expireLease(database, "m");
    expect(await reap(database)).toEqual([
      { messageId: "m", mailbox: "notes@firm.example", workerId: dead.workerId },
    ]);
    expect(await rowOf(database, "m")).toMatchObject({
      status: "failed",
      error_message: `lease of ${dead.workerId} expired`,
    });
    expect(await conclude(database, table, dead)).toBe(false);
    expect(await foreignProgram(database, table, "airflow-1").claim("m")).toBe(true);
  });

  it("leaves live work alone, ours and others', and every other program's rows [R48]", async () => {
    const database = await freshDatabase();
    await mustClaim(database, table, "ours");
    await foreignProgram(database, table, "airflow-1").claim("theirs");
    await foreignProgram(database, ingestionTable({ naming: { appName: "other" } }), "w").claim(
      "x",
    );
    await database.query(
      "UPDATE bo_airflow.email_ingestion_state SET updated_at = now() - interval '1 hour'",
    );
    expect(await reap(database)).toEqual([]);
    await database.query(
      "UPDATE bo_airflow.email_ingestion_state SET updated_at = now() - interval '3 hours'",
    );
    expect((await reap(database)).map((reaped) => reaped.messageId)).toEqual(["theirs"]);
  });

  it("gives each program the lease of its longest prefix", async () => {
    const database = await freshDatabase();
    await setForeignLease(database, "airflow-", 60_000);
    await setForeignLease(database, "airflow-slow-", 3_600_000);
    await setForeignLease(database, "airflow-slow-", 7_000_000);
    await foreignProgram(database, table, "airflow-1").claim("a");
    await foreignProgram(database, table, "airflow-slow-1").claim("b");
    await foreignProgram(database, table, "script").claim("c");
    await database.query(
      "INSERT INTO bo_airflow.email_ingestion_state (app_name, message_id, mailbox_email) VALUES ('pad_contract_notes', 'nobody', 'b')",
    );
    await database.query(
      "UPDATE bo_airflow.email_ingestion_state SET updated_at = now() - interval '100 minutes'",
    );
    expect((await reap(database)).map((reaped) => reaped.messageId)).toEqual(["a"]);
    await database.query(
      "UPDATE bo_airflow.email_ingestion_state SET updated_at = now() - interval '118 minutes' WHERE status = 'processing'",
    );
    expect((await reap(database)).map((reaped) => reaped.messageId)).toEqual(["b"]);
    await database.query(
      "UPDATE bo_airflow.email_ingestion_state SET updated_at = now() - interval '3 hours' WHERE status = 'processing'",
    );
    const last = await reap(database);
    expect(last.map((reaped) => reaped.messageId).sort()).toEqual(["c", "nobody"]);
    expect((await rowOf(database, "nobody"))?.["error_message"]).toBe("lease of ? expired");
  });

  // The reaper waits for the row while somebody takes the dead message over. Looked at with the snapshot
  // from before the wait, the new claim has no lease yet and would be reaped alive.
  it.each([
    ["VOLATILE", 0],
    ["STABLE", 1],
  ])(
    "a liveness rule that is %s reaps %i of the claims made while it waited [R48]",
    async (volatility, reaped) => {
      const database = await freshDatabase();
      await database.query(
        `ALTER FUNCTION postroom.claim_is_live(text, text, text, timestamptz) ${volatility}`,
      );
      await mustClaim(database, table, "m");
      await expireLease(database, "m");
      const ours = await database.pool.connect();
      await ours.query("BEGIN");
      await ours.query(table.sql.claim, ["m", "b", null, null, null, "ts:new"]);
      await ours.query(
        "UPDATE postroom.ingest_lease SET owner = 'ts:new', until = postroom.now() + interval '1 minute'",
      );
      const reaping = reap(database);
      await untilSomebodyWaits(database);
      await ours.query("COMMIT");
      ours.release();
      expect(await reaping).toHaveLength(reaped);
    },
  );

  it("the liveness rule of the migrations is the volatile one [R48]", async () => {
    const database = await freshDatabase();
    const { rows } = await database.query(
      "SELECT provolatile FROM pg_proc WHERE oid = 'postroom.claim_is_live'::regproc",
    );
    expect(rows).toEqual([{ provolatile: "v" }]);
  });
});

describe("messages whose next try is overdue", () => {
  const overdue = (database: Database) =>
    database.transaction((tx) => findOverdueMails(tx, table, 60_000));
  const due = (database: Database, id: string, seconds: number, attempts = 1) =>
    database.query(
      `UPDATE postroom.ingest_lease SET next_attempt_at = postroom.now() - $2 * interval '1 second', attempts = $3
        WHERE message_id = $1`,
      [id, seconds, attempts],
    );

  it("are returned once per interval if they failed, waited long enough and have attempts left [ING-18]", async () => {
    const database = await freshDatabase();
    for (const id of ["late", "early", "often", "running", "never"]) {
      const ours = await mustClaim(database, table, id);
      if (id !== "running") await conclude(database, table, ours, failed);
    }
    await due(database, "late", 65, 11);
    await due(database, "early", 55);
    await due(database, "often", 65, 12);
    await due(database, "running", 65);
    const answer = [{ messageId: "late", mailbox: "notes@firm.example", attempts: 11 }];
    expect(await overdue(database)).toEqual(answer);
    expect(await overdue(database)).toEqual([]);
  });

  it("are those of our own app", async () => {
    const database = await freshDatabase();
    const other = ingestionTable({ naming: { appName: "other" } });
    await conclude(database, other, await mustClaim(database, other, "m"), failed);
    await due(database, "m", 100);
    expect(await overdue(database)).toEqual([]);
  });

  it("a reaped message is due immediately", async () => {
    const database = await freshDatabase();
    await mustClaim(database, table, "m");
    await mustClaim(database, table, "alive");
    await expireLease(database, "m");
    await reap(database);
    const { rows } = await database.query(
      "SELECT message_id FROM postroom.ingest_lease WHERE next_attempt_at <= postroom.now()",
    );
    expect(rows).toEqual([{ message_id: "m" }]);
  });

  it("the lease of a dead worker is removed when another program has finished its message", async () => {
    const database = await freshDatabase();
    for (const id of ["done", "skipped", "failed", "alive"]) await mustClaim(database, table, id);
    const dag = foreignProgram(database, table, "airflow-1");
    await dag.claim("done");
    await dag.succeed("done");
    await dag.claim("alive");
    await dag.succeed("alive");
    await database.query(
      "UPDATE bo_airflow.email_ingestion_state SET status = message_id WHERE message_id IN ('skipped', 'failed')",
    );
    for (const id of ["done", "skipped", "failed"]) await expireLease(database, id);
    await reap(database);
    const { rows } = await database.query(
      "SELECT message_id FROM postroom.ingest_lease ORDER BY 1",
    );
    expect(rows.map((row) => row["message_id"])).toEqual(["alive", "failed"]);
  });
});

describe("the heartbeat", () => {
  it("renews a lease and stops the work when the lease belongs to another worker [H-04] [R35]", async () => {
    const database = await freshDatabase();
    const clock = createManualClock(0);
    const ours = await mustClaim(database, table, "m");
    await expireLease(database, "m");
    const heartbeat = startHeartbeat({ database, clock }, table, ours);
    clock.advance(20_000);
    await until(async () => (await liveLeases(database)) === 1);
    expect((await claim(database, table, "m")).isOurs).toBe(false);
    expect(heartbeat.signal.aborted).toBe(false);
    await database.query("UPDATE postroom.ingest_lease SET owner = 'ts:other'");
    await until(async () => {
      clock.advance(20_000);
      return heartbeat.signal.aborted;
    });
    await heartbeat.stop();
  });

  it("a missed beat does not lose the claim", async () => {
    const database = await freshDatabase();
    const clock = createManualClock(0);
    const ours = await mustClaim(database, table, "m");
    let beats = 0;
    const deaf = {
      query: () => {
        beats += 1;
        return Promise.reject(new Error("no connection"));
      },
    };
    const heartbeat = startHeartbeat({ database: deaf, clock }, table, ours);
    await until(async () => {
      clock.advance(20_000);
      return beats >= 3;
    });
    expect(heartbeat.signal.aborted).toBe(false);
    await heartbeat.stop();
    expect(await renewClaimLease(database, table, ours)).toBe(true);
    expect(await renewClaimLease(database, table, { ...ours, workerId: "ts:x" })).toBe(false);
  });
});

describe("a message under several ids", () => {
  it("counts as done when another program finished it under its other id", async () => {
    const database = await freshDatabase();
    const ids = { mailbox: "Notes@firm.example", messageId: "immutable" };
    await recordAliases(database, { ...ids, defaultId: "default", internetMessageId: "<a@b>" });
    await recordAliases(database, { ...ids, defaultId: "default", internetMessageId: "<a@b>" });
    expect(await findDoneAlias(database, table, ids)).toBeNull();
    const dag = foreignProgram(database, table, "airflow-1");
    await dag.claim("default");
    expect(await findDoneAlias(database, table, ids)).toBeNull();
    await dag.succeed("default");
    expect(await findDoneAlias(database, table, ids)).toBe("default");
  });

  it("is not confused with another message of the same internet id", async () => {
    const database = await freshDatabase();
    for (const messageId of ["one", "two"]) {
      await recordAliases(database, { mailbox: "b", messageId, internetMessageId: "a@b" });
    }
    await conclude(database, table, await mustClaim(database, table, "one"));
    expect(await findDoneAlias(database, table, { mailbox: "b", messageId: "two" })).toBeNull();
  });

  it("has one key for its effects, with and without brackets, in every folder [R24]", () => {
    const name = emailKeyOf({ mailbox: "B@x", messageId: "1", internetMessageId: "<a@b>" });
    expect(name).toBe(emailKeyOf({ mailbox: "b@x", messageId: "2", internetMessageId: "a@b" }));
    expect(emailKeyOf({ mailbox: "b@x", messageId: "1" })).not.toBe(
      emailKeyOf({ mailbox: "b@x", messageId: "2" }),
    );
  });
});

it("conflicts with other programs are counted for the operator", async () => {
  const database = await freshDatabase();
  const ours = await mustClaim(database, table, "m");
  await foreignProgram(database, table, "airflow-1").claim("m");
  expect(await countConflicts(database, table)).toBe(0);
  await recordConflict(database, table, { messageId: "m", kind: "fenced", ours: ours.workerId });
  expect(await countConflicts(database, table)).toBe(1);
  const { rows } = await database.query("SELECT kind, ours, theirs FROM postroom.claim_conflict");
  expect(rows).toEqual([{ kind: "fenced", ours: ours.workerId, theirs: "airflow-1" }]);
});

async function liveLeases(database: Database): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    "SELECT count(*) AS n FROM postroom.ingest_lease WHERE until > postroom.now()",
  );
  return rows[0]!.n;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 5_000; tries += 1) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("the condition never held");
}
