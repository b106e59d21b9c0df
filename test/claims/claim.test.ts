import { describe, expect, it } from "vitest";
import { claimMail } from "../../src/ingestion/claim-mail.ts";
import { concludeMail } from "../../src/ingestion/finish-mail.ts";
import { ingestionTable, isDone, isStillOurs } from "../../src/ingestion/ingestion-table.ts";
import { uncountClaim } from "../../src/ingestion/lease-table.ts";
import { freshDatabase } from "../helpers/database.ts";
import {
  claim,
  conclude,
  done,
  expireLease,
  failed,
  foreignProgram,
  mustClaim,
  rowOf,
  untilSomebodyWaits,
} from "./scene.ts";

const table = ingestionTable();

describe("claiming a message", () => {
  it("exactly one of fifty workers that claim at the same moment succeeds [ING-09] [R01]", async () => {
    const database = await freshDatabase({ connections: 50 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => claim(database, table, "m")),
    );
    const winners = answers.filter((answer) => answer.isOurs);
    expect(winners).toHaveLength(1);
    const refusals = new Set(answers.map((a) => (a.isOurs ? "ours" : a.refusal.kind)));
    refusals.delete("busy");
    refusals.delete("live");
    expect([...refusals]).toEqual(["ours"]);
    expect((await rowOf(database, "m"))?.["worker_id"]).toBe(
      winners[0]!.isOurs && winners[0]!.claim.workerId,
    );
  });

  it("stores mailbox, sender, time, subject and worker with the claim [ING-17]", async () => {
    const database = await freshDatabase();
    const { workerId } = await mustClaim(database, table, "m");
    expect(await rowOf(database, "m")).toMatchObject({
      app_name: "pad_contract_notes",
      status: "processing",
      mailbox_email: "notes@firm.example",
      sender_email: "broker@bank.example",
      received_at: new Date("2026-02-04T10:00:00Z"),
      subject: "Contract note",
      worker_id: workerId,
    });
  });

  it("a finished message is never claimed again, not even on request [ING-05] [ING-08]", async () => {
    const database = await freshDatabase();
    expect(await isDone(database, table, "m")).toBe(false);
    expect(await conclude(database, table, await mustClaim(database, table, "m"))).toBe(true);
    expect(await isDone(database, table, "m")).toBe(true);
    for (const isForced of [false, true]) {
      const answer = await claim(database, table, "m", { isForced });
      expect(answer).toEqual({ isOurs: false, refusal: { kind: "done" } });
    }
    expect(await rowOf(database, "m")).toMatchObject({
      status: "success",
      attachments_processed: 1,
      trades_extracted: 1,
      archive_gcs_paths: ["archive/x.pdf"],
    });
  });

  it("a failed message is claimed again and its old reason is gone after a success [ING-07]", async () => {
    const database = await freshDatabase();
    await conclude(database, table, await mustClaim(database, table, "m"), failed);
    expect(await rowOf(database, "m")).toMatchObject({
      status: "failed",
      error_message: "no luck",
    });
    const second = await mustClaim(database, table, "m");
    expect(second.attempts).toBe(2);
    expect((await rowOf(database, "m"))?.["status"]).toBe("processing");
    await conclude(database, table, second);
    expect(await rowOf(database, "m")).toMatchObject({ status: "success", error_message: null });
    expect((await database.query("SELECT * FROM postroom.ingest_lease")).rows).toEqual([]);
  });

  it("a failed message waits for its next attempt unless a person asks [H-04]", async () => {
    const database = await freshDatabase();
    const first = await mustClaim(database, table, "m");
    await conclude(database, table, first, { ...failed, retryAfterMs: 60_000 });
    const early = await claim(database, table, "m");
    expect(early).toMatchObject({ isOurs: false, refusal: { kind: "not-due" } });
    const wait = !early.isOurs && early.refusal.kind === "not-due" ? early.refusal.retryAfterMs : 0;
    expect(wait).toBeGreaterThan(50_000);
    expect(wait).toBeLessThanOrEqual(60_000);
    expect((await claim(database, table, "m", { isForced: true })).isOurs).toBe(true);
  });

  it("a skipped message stays skipped unless a person asks [ING-07] [ING-20]", async () => {
    const database = await freshDatabase();
    await conclude(database, table, await mustClaim(database, table, "m"), {
      status: "skipped",
      reason: "no PDF",
    });
    expect(await rowOf(database, "m")).toMatchObject({
      status: "skipped",
      error_message: "no PDF",
    });
    const repeated = await claim(database, table, "m");
    expect(repeated).toEqual({ isOurs: false, refusal: { kind: "skipped" } });
    expect((await rowOf(database, "m"))?.["status"]).toBe("skipped");
    expect((await claim(database, table, "m", { isForced: true })).isOurs).toBe(true);
    expect((await rowOf(database, "m"))?.["status"]).toBe("processing");
  });

  it("a live claim of another program is left alone, a dead one is taken [ING-19]", async () => {
    const database = await freshDatabase();
    const dag = foreignProgram(database, table, "airflow-1");
    await dag.claim("m");
    expect(await claim(database, table, "m")).toEqual({
      isOurs: false,
      refusal: { kind: "live", heldBy: "airflow-1" },
    });
    expect((await rowOf(database, "m"))?.["worker_id"]).toBe("airflow-1");
    await database.query(
      "UPDATE bo_airflow.email_ingestion_state SET updated_at = now() - interval '119 minutes'",
    );
    expect((await claim(database, table, "m")).isOurs).toBe(false);
    await database.query(
      "UPDATE bo_airflow.email_ingestion_state SET updated_at = now() - interval '121 minutes'",
    );
    expect((await claim(database, table, "m")).isOurs).toBe(true);
  });

  it("a row that was taken over by mistake is given back [ING-19] [R01]", async () => {
    const database = await freshDatabase();
    // The other program inserts the row after we found none and before our claim, which then waits for its commit.
    const other = await database.pool.connect();
    await other.query("BEGIN");
    await other.query(table.sql.claim, ["m", "b", null, null, null, "airflow-1"]);
    const ours = claim(database, table, "m");
    await untilSomebodyWaits(database);
    await other.query("COMMIT");
    other.release();
    expect(await ours).toEqual({ isOurs: false, refusal: { kind: "live", heldBy: null } });
    expect(await rowOf(database, "m")).toMatchObject({
      status: "processing",
      worker_id: "airflow-1",
    });
    expect((await database.query("SELECT * FROM postroom.ingest_lease")).rows).toEqual([]);
  });

  it("a message that another program inserts and finishes while we are claiming it counts as done [ING-08] [ING-19]", async () => {
    const database = await freshDatabase();
    const other = await database.pool.connect();
    await other.query("BEGIN");
    await other.query(table.sql.claim, ["m", "b", null, null, null, "airflow-1"]);
    await other.query(table.sql.markSuccess, [1, 1, "[]", "m"]);
    const ours = claim(database, table, "m");
    await untilSomebodyWaits(database);
    await other.query("COMMIT");
    other.release();
    expect(await ours).toEqual({ isOurs: false, refusal: { kind: "done" } });
  });

  it("tokens rise with every owner, and a late result of an old owner changes nothing [H-04] [R35]", async () => {
    const database = await freshDatabase();
    const first = await mustClaim(database, table, "m");
    expect(await isStillOurs(database, table, first)).toBe(true);
    await expireLease(database, "m");
    const second = await mustClaim(database, table, "m");
    expect(second.token).toBeGreaterThan(first.token);
    expect(await isStillOurs(database, table, first)).toBe(false);
    expect(await conclude(database, table, first, failed)).toBe(false);
    expect(await conclude(database, table, first)).toBe(false);
    expect(await rowOf(database, "m")).toMatchObject({ status: "processing", error_message: null });
    expect(await conclude(database, table, second)).toBe(true);
    expect(await conclude(database, table, second, failed)).toBe(false);
    expect((await rowOf(database, "m"))?.["status"]).toBe("success");
  });

  it("a worker that must stop releases the message immediately, and the attempt does not count", async () => {
    const database = await freshDatabase();
    await uncountClaim(database, table, await mustClaim(database, table, "m"));
    expect((await mustClaim(database, table, "m")).attempts).toBe(1);
  });

  it("only its owner can release a message", async () => {
    const database = await freshDatabase();
    const first = await mustClaim(database, table, "m");
    await uncountClaim(database, table, { ...first, workerId: "ts:other" });
    expect((await claim(database, table, "m")).isOurs).toBe(false);
  });

  it("ids that differ only in case are different messages, and characters that PostgreSQL cannot store are replaced", async () => {
    const database = await freshDatabase();
    await mustClaim(database, table, "AAMk=");
    expect((await claim(database, table, "aamk=")).isOurs).toBe(true);
    const rude = {
      messageId: "rude",
      mailbox: "m".repeat(300),
      sender: "a\0b",
      receivedAt: null,
      subject: "half \uD800 a pair",
    };
    const answer = await claimMail(database, table, rude, { workerId: "ts:x" });
    expect(answer.isOurs).toBe(true);
    const reason = "bad \0 text \uDC00" + "x".repeat(5_000);
    if (answer.isOurs) {
      await conclude(database, table, answer.claim, {
        status: "failed",
        reason,
        retryAfterMs: null,
      });
    }
    const row = await rowOf(database, "rude");
    expect(row).toMatchObject({ sender_email: "a\uFFFDb", subject: "half \uFFFD a pair" });
    expect(String(row?.["error_message"])).toMatch(/^bad \uFFFD text \uFFFDx+$/);
  });

  it("an id that does not fit is a visible failure and writes nothing", async () => {
    const database = await freshDatabase();
    await expect(claim(database, table, "x".repeat(256))).rejects.toMatchObject({
      code: "mail.id-too-long",
      remedy: "give-up",
    });
    expect((await database.query("SELECT * FROM bo_airflow.email_ingestion_state")).rows).toEqual(
      [],
    );
  });

  it("effects and the status of the message are committed together: if an effect fails, the claim is unchanged [H-06]", async () => {
    const database = await freshDatabase();
    const ours = await mustClaim(database, table, "m");
    const broken = database.transaction((tx) =>
      concludeMail(tx, table, ours, async () => {
        await tx.query(
          "INSERT INTO postroom.ingest_effect (email_key, attachment_sha256, fingerprint, worker) VALUES ('e','s','f','w')",
        );
        throw new Error("disk");
      }),
    );
    await expect(broken).rejects.toThrow("disk");
    expect((await database.query("SELECT * FROM postroom.ingest_effect")).rows).toEqual([]);
    expect((await rowOf(database, "m"))?.["status"]).toBe("processing");
    expect(await conclude(database, table, ours, done)).toBe(true);
  });

  it("a message that one of our own workers is claiming is busy, and is not waited for", async () => {
    const database = await freshDatabase();
    const other = await database.pool.connect();
    await other.query("BEGIN");
    await other.query("SELECT pg_advisory_xact_lock(hashtextextended('pad_contract_notes:m', 0))");
    expect(await claim(database, table, "m")).toEqual({
      isOurs: false,
      refusal: { kind: "busy" },
    });
    expect(await claim(database, table, "n")).toMatchObject({ isOurs: true });
    await other.query("ROLLBACK");
    other.release();
  });

  it("a message that another program finished while our next attempt was waiting is done, not early [ING-08]", async () => {
    const database = await freshDatabase();
    const claimed = await mustClaim(database, table, "m");
    await conclude(database, table, claimed, { ...failed, retryAfterMs: 60_000 });
    expect(await claim(database, table, "m")).toMatchObject({ refusal: { kind: "not-due" } });
    await foreignProgram(database, table, "airflow-1").succeed("m");
    expect(await claim(database, table, "m")).toMatchObject({ refusal: { kind: "done" } });
  });

  it("a row that stays locked for too long is busy, not an error", async () => {
    const database = await freshDatabase();
    await foreignProgram(database, table, "airflow-1").claim("m");
    const other = await database.pool.connect();
    await other.query("BEGIN");
    await other.query("SELECT 1 FROM bo_airflow.email_ingestion_state FOR UPDATE");
    expect(await claim(database, table, "m")).toEqual({
      isOurs: false,
      refusal: { kind: "busy" },
    });
    await other.query("ROLLBACK");
    other.release();
  });
});
