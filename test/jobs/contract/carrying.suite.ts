import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { EngineMessage, JobEngine, Ticket } from "../../../src/jobs/engine.ts";
import { type EngineUnderTest, useWorkshop } from "./workshop.ts";

const QUEUE = "documents";

function messageFor(more: Partial<EngineMessage> = {}): EngineMessage {
  const jobId = randomUUID();
  const common = { type: "t", idempotencyKey: jobId, attempt: 1 };
  const envelope = {
    jobId,
    jobType: common.type,
    subjectId: "s",
    correlationId: "c",
    idempotencyKey: jobId,
    attempt: 1,
    maxAttempts: 3,
    payload: null,
    createdAt: "2026-01-05T08:00:00Z",
  };
  const outside = { messageId: `${jobId}-1`, envelope };
  return { jobId, queue: QUEUE, delayMs: 0, jobsPerMessageMax: 10, ...common, outside, ...more };
}

export function testCarrying(under: EngineUnderTest): void {
  describe(`${under.name} carries messages`, () => {
    const shop = useWorkshop(under);

    const withEngine = async (
      work: (engine: JobEngine, got: Ticket[]) => Promise<void>,
      limit = 100,
    ) => {
      const engine = await shop.place.open();
      await engine.start([QUEUE]);
      const got: Ticket[] = [];
      const consumer = engine.consume(QUEUE, limit, (some) => void got.push(...some));
      await work(engine, got);
      await consumer.stop();
      await engine.stop();
    };
    const idsOf = (some: readonly Ticket[]) => some.map((ticket) => ticket.jobId).sort();

    it("each message arrives unchanged, and not again once its ticket is settled", () =>
      withEngine(async (engine, got) => {
        const messages = Array.from({ length: 25 }, () => messageFor());
        await engine.send(messages);
        await expect.poll(() => got.length).toBe(25);
        expect(idsOf(got)).toEqual(messages.map((message) => message.jobId).sort());
        expect(new Set(got.map((ticket) => ticket.type))).toEqual(new Set(["t"]));
        await engine.settle(got, { kind: "done" });
        await expect.poll(() => engine.depth(QUEUE)).toBe(0);
        expect(got).toHaveLength(25);
      }));

    it("a released ticket is handed out again, and only that one", () =>
      withEngine(async (engine, got) => {
        await engine.send(Array.from({ length: 10 }, () => messageFor()));
        await expect.poll(() => got.length).toBe(10);
        const [back, done] = [got.slice(0, 4), got.slice(4)];
        await engine.settle(done, { kind: "done" });
        await engine.settle(back, { kind: "release" });
        await expect.poll(() => got.length).toBe(14);
        expect(idsOf(got.slice(10))).toEqual(idsOf(back));
        await engine.settle(got.slice(10), { kind: "done" });
      }));

    it("a released message of another program is handed out again", () =>
      withEngine(async (engine, got) => {
        await shop.place.sendRaw(QUEUE, JSON.stringify({ hello: "world" }));
        await expect.poll(() => got.length).toBe(1);
        expect(got[0]).toMatchObject({ jobId: null, foreign: { body: '{"hello":"world"}' } });
        await engine.settle([got[0]!], { kind: "release" });
        await expect.poll(() => got.length).toBe(2);
        await engine.settle([got[1]!], { kind: "done" });
      }));

    it("a delayed message arrives after its delay", () =>
      withEngine(async (engine, got) => {
        const sentAt = Date.now();
        const [soon, muchLater] = [600, 3_600_000].map((delayMs) => messageFor({ delayMs }));
        const now = messageFor();
        await engine.send([muchLater!, soon!, now]);
        const has = (message: EngineMessage) => idsOf(got).includes(message.jobId);
        await expect.poll(() => has(soon!), { interval: 10 }).toBe(true);
        expect(Date.now() - sentAt).toBeGreaterThanOrEqual(590);
        await expect.poll(() => has(now)).toBe(true);
        expect(has(muchLater!)).toBe(false);
        await engine.settle(got, { kind: "done" });
      }));

    it("with a limit of one, the next ticket comes after the first is settled", () =>
      withEngine(async (engine, got) => {
        await engine.send([
          messageFor({ jobsPerMessageMax: 1 }),
          messageFor({ jobsPerMessageMax: 1 }),
        ]);
        await expect.poll(() => got.length).toBe(1);
        await engine.settle([got[0]!], { kind: "done" });
        await expect.poll(() => got.length).toBe(2);
        await engine.settle([got[1]!], { kind: "done" });
      }, 1));
  });
}
