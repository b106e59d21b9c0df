import Fastify, { type FastifyInstance } from "fastify";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { freshDatabase } from "../../../test/helpers/database.ts";
import { guard } from "../../../test/helpers/guard.ts";
import type { Database } from "../../store/database.ts";
import { describeApi, typed } from "../openapi.ts";
import { keepWithEffect } from "./idempotency.ts";
import { conflict, handleErrors } from "./problem.ts";

let database: Database;
let app: FastifyInstance;
let done: number[];
let gate: Promise<void>;

beforeAll(async () => {
  database = await freshDatabase();
  app = Fastify();
  handleErrors(app);
  await describeApi(app, "0.0.0");
  guard(app, database, async ({ headers }) => {
    const [id = "", name] = String(headers["x-caller"]).split("/");
    return { id, role: "admin", ...(name === undefined ? {} : { name }) };
  });
  typed(app).post(
    "/api/marks",
    { config: { access: "operator" }, schema: { body: z.object({ n: z.number() }) } },
    async (request, reply) => {
      const { n } = request.body;
      await database.transaction(async (tx) => {
        await tx.query("INSERT INTO mark (n) VALUES ($1)", [n]);
        await keepWithEffect(tx, reply, { n }, 201);
        if (n === 1) throw new Error("broken before the commit");
      });
      throw new Error("broken after the commit");
    },
  );
  await database.query("CREATE TABLE mark (n int)");
  typed(app).post(
    "/api/numbers",
    { config: { access: "operator" }, schema: { body: z.object({ n: z.number() }) } },
    async (request, reply) => {
      await gate;
      done.push(request.body.n);
      if (request.body.n === 409) throw conflict("taken");
      if (request.body.n === 500) throw new Error("broken");
      return reply.code(201).send({ n: request.body.n, count: done.length });
    },
  );
});
beforeEach(async () => {
  done = [];
  gate = Promise.resolve();
  await database.query("DELETE FROM postroom.kept_answer");
});

const send = async (n: unknown, key: string, caller = "ada", url = "/api/numbers") => {
  const headers = { "x-caller": caller, "idempotency-key": key };
  const answer = await app.inject({ method: "POST", url, headers, payload: { n } });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
};

describe("a write with an idempotency key", () => {
  it("is done once, and a repetition gets the same answer", async () => {
    const first = await send(1, "a");
    const again = await send(1, "a");
    expect(done).toEqual([1]);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers["content-type"]).toBe(first.headers["content-type"]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(first.headers["idempotent-replayed"]).toBeUndefined();
  });

  it("that says something else under the same key is refused with a stable code", async () => {
    await send(1, "a");
    const other = await send(2, "a");
    expect(other).toMatchObject({
      status: 422,
      body: { errorCode: "idempotency.key-reused", whatToDo: expect.any(String) },
    });
    expect(done).toEqual([1]);
  });

  it("does not meet the key of another caller", async () => {
    await send(1, "a");
    expect((await send(2, "a", "ben")).status).toBe(201);
    expect(done).toEqual([1, 2]);
    // Two people at two terminals, with the same operator key.
    expect((await send(3, "b", "operator/ada")).status).toBe(201);
    expect((await send(4, "b", "operator/ben")).status).toBe(201);
    expect((await send(3, "b", "operator/ada")).headers["idempotent-replayed"]).toBe("true");
    expect(done).toEqual([1, 2, 3, 4]);
  });

  it("is refused while the first one is at work, and done once although twenty arrive at once", async () => {
    let letGo = () => {};
    gate = new Promise((resolve) => (letGo = resolve));
    const all = Array.from({ length: 20 }, () => send(1, "a"));
    const refused = await Promise.race(all);
    expect(refused).toMatchObject({ status: 409, body: { errorCode: "idempotency.in-progress" } });
    letGo();
    const statuses = (await Promise.all(all)).map(({ status }) => status).sort();
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([201, 409]));
    expect(done).toEqual([1]);
  });

  it("is not done again after a refusal, and is after a failure of ours", async () => {
    expect([(await send(409, "a")).status, (await send(409, "a")).status]).toEqual([409, 409]);
    expect(done).toEqual([409]);
    expect([(await send(500, "b")).status, (await send(500, "b")).status]).toEqual([500, 500]);
    expect(done).toEqual([409, 500, 500]);
  });

  it("whose answer is committed with its effect is answered after a failure, and done once", async () => {
    const mark = (n: number, key: string) => send(n, key, "ada", "/api/marks");
    expect((await mark(2, "a")).status).toBe(500);
    expect(await mark(2, "a")).toMatchObject({ status: 201, body: { n: 2 } });
    // Nothing was committed, so the second is the first again.
    expect([(await mark(1, "b")).status, (await mark(1, "b")).status]).toEqual([500, 500]);
    const { rows } = await database.query("SELECT n FROM mark");
    expect(rows).toEqual([{ n: 2 }]);
  });

  it("keeps no key if it does not fit its schema", async () => {
    expect((await send("one", "a")).status).toBe(400);
    expect((await send(1, "a")).status).toBe(201);
  });

  it.each(["", "a b", "é", "x".repeat(201)])(
    "is refused with a pointer if the key is %j",
    async (key) => {
      const { status, body } = await send(1, key);
      expect([status, body.errors[0].pointer]).toEqual([400, "/headers/idempotency-key"]);
      expect(done).toEqual([]);
    },
  );

  it("whose server stopped says that nobody knows how it ended", async () => {
    await send(1, "a");
    await database.query(
      "UPDATE postroom.kept_answer SET status = NULL, begun_at = postroom.now() - interval '16 minutes'",
    );
    expect(await send(1, "a")).toMatchObject({
      status: 409,
      body: { errorCode: "idempotency.outcome-unknown" },
    });
    expect(done).toEqual([1]);
  });

  it("is forgotten after a day", async () => {
    await send(1, "a");
    await database.query(
      "UPDATE postroom.kept_answer SET begun_at = postroom.now() - interval '25 hours'",
    );
    expect((await send(2, "a")).status).toBe(201);
    expect(done).toEqual([1, 2]);
  });
});
