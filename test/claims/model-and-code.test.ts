/**
 * The model is worth as much as its likeness to the code. Here random walks of small steps are taken on the
 * real tables, by the real functions, and the rows must show what the model says of the same steps.
 */

import { describe, expect, it } from "vitest";
import type { Claim } from "../../src/ingestion/claim-mail.ts";
import { setForeignLease } from "../../src/ingestion/foreign-lease-table.ts";
import { installGuard } from "../../src/ingestion/guard.ts";
import { ingestionTable } from "../../src/ingestion/ingestion-table.ts";
import { reapDeadClaims } from "../../src/ingestion/keep-claims.ts";
import type { Database } from "../../src/store/database.ts";
import { freshDatabase } from "../helpers/database.ts";
import { type Model, walk } from "./model.ts";
import { claim, conclude, failed, foreignProgram, rowOf } from "./scene.ts";

const WALKS = process.env["POSTROOM_LONG"] === "1" ? 1_500 : 120;
const STEPS = 14;
const table = ingestionTable();
const model: Model = {
  own: 2,
  foreign: 1,
  attempts: 3,
  falseExpiries: 3,
  mayCrash: true,
  without: [],
};

/** A small generator, so that a failing walk can be taken again. */
function seeded(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

class Actors {
  readonly database: Database;
  readonly id: string;
  readonly claims = new Map<string, Claim>();
  tries = 0;
  constructor(database: Database, id: string) {
    this.database = database;
    this.id = id;
  }

  /** Takes the step that the model names. */
  async take(step: string): Promise<void> {
    const [actor, ...verb] = step.split(" ") as [string, ...string[]];
    const what = verb.join(" ");
    if (step === "the reaper comes") {
      await this.database.transaction((tx) => reapDeadClaims(tx, table));
    } else if (step.endsWith("claim expires")) await this.expire();
    else if (actor.startsWith("own")) await this.takeOwn(actor, what);
    else await this.takeForeign(actor, what);
  }

  async takeOwn(actor: string, what: string): Promise<void> {
    if (what === "claims") {
      const answer = await claim(this.database, table, this.id);
      if (!answer.isOurs) throw new Error(`the model claims, the code says ${answer.refusal.kind}`);
      this.claims.set(actor, answer.claim);
    } else if (what === "sees a live claim") {
      expect(await claim(this.database, table, this.id)).toMatchObject({ isOurs: false });
    } else if (what === "finishes") {
      expect(await conclude(this.database, table, this.claims.get(actor)!)).toBe(true);
    } else if (what === "fails") {
      expect(await conclude(this.database, table, this.claims.get(actor)!, failed)).toBe(true);
    } else if (what === "is fenced") {
      expect(await conclude(this.database, table, this.claims.get(actor)!)).toBe(false);
    }
  }

  async takeForeign(actor: string, what: string): Promise<void> {
    if (what === "claims" || what === "is refused") this.tries += 1;
    const program = foreignProgram(this.database, table, `${actor}-try-${this.tries}`);
    if (what === "claims") expect(await program.claim(this.id)).toBe(true);
    if (what === "is refused") expect(await program.claim(this.id)).toBe(false);
    if (what === "fails") await program.fail(this.id);
    if (what === "marks success") await program.succeed(this.id);
  }

  /** The claim that the row shows falls silent for long enough. */
  async expire(): Promise<void> {
    await this.database.query(
      "UPDATE postroom.ingest_lease SET until = postroom.now() - interval '1 second' WHERE message_id = $1",
      [this.id],
    );
    // The trigger would refuse nothing here: status and worker stay as they are.
    await this.database.query(
      `UPDATE bo_airflow.email_ingestion_state SET updated_at = now() - interval '3 hours'
        WHERE message_id = $1 AND status = 'processing' AND worker_id NOT LIKE 'ts:%'`,
      [this.id],
    );
  }
}

describe("the model and the code", () => {
  it(`agree on ${WALKS} random walks [ING-09] [ING-19]`, async () => {
    const database = await freshDatabase();
    await installGuard(database, table);
    await setForeignLease(database, "dag", 7_200_000);
    const seen = new Set<string>();
    for (let n = 0; n < WALKS; n += 1) {
      const actors = new Actors(database, `walk-${n}`);
      const steps = walk(model, seeded(n), STEPS);
      const taken: string[] = [];
      for (const { step, status } of steps) {
        taken.push(step);
        seen.add(step.replace(/^(own|dag)\d /, ""));
        await actors.take(step).catch((error: Error) => {
          throw new Error(`walk ${n}: ${taken.join(", ")}: ${error.message}`);
        });
        const row = await rowOf(database, actors.id);
        expect([n, taken.join(", "), row?.["status"] ?? "none"]).toEqual([
          n,
          taken.join(", "),
          status,
        ]);
      }
    }
    expect([...seen].sort()).toEqual(
      expect.arrayContaining([
        "claims",
        "dies",
        "fails",
        "finishes",
        "is fenced",
        "is refused",
        "marks success",
        "sees a live claim",
        "the reaper comes",
      ]),
    );
  }, 120_000);
});
