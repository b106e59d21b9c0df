import { beforeAll, describe, expect, it } from "vitest";
import { ask, type GraphTarget, type Loose } from "./graph-target.ts";

/** Outlook's limits for one app and one mailbox. The target has to be slow enough to be overrun. */
export function testLimits(name: string, open: () => Promise<GraphTarget>): void {
  describe(name, () => {
    let target: GraphTarget;
    let inbox: string;
    beforeAll(async () => {
      target = await open();
      inbox = `/users/${target.mailbox}/mailFolders/inbox`;
    });

    const tick = () => new Promise((resolve) => setTimeout(resolve, 5));
    const refusals = () =>
      target.journal?.().filter((kind) => kind === "request.throttled").length ?? 0;

    /** Waits for calls that are held until time passes, which may not be before some are refused. */
    const together = async <T>(calls: Promise<T>[], refusedBefore: number | null): Promise<T[]> => {
      let isDone = false;
      const all = Promise.all(calls).finally(() => {
        isDone = true;
      });
      const isEarly = () => target.journal && refusedBefore !== null && refusals() <= refusedBefore;
      while (!isDone && isEarly()) await tick();
      while (!isDone) {
        await tick();
        await target.pass(1000);
      }
      return all;
    };

    // https://learn.microsoft.com/graph/throttling-limits#outlook-service-limits
    it("a fifth request at a time is refused with 429 and the seconds to wait", async () => {
      const answers = await together(
        Array.from({ length: 12 }, () => ask(target, inbox)),
        refusals(),
      );
      const refused = answers.filter((each) => each.status === 429);
      expect(answers.filter((each) => each.status === 200).length).toBeGreaterThanOrEqual(4);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused[0]!.json.error.code).toBe("ApplicationThrottled");
      expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThan(0);
    });

    // https://learn.microsoft.com/graph/throttling-limits#outlook-service-limits
    it("one batch stays within the limit, since four members are forwarded at a time", async () => {
      const requests = Array.from({ length: 12 }, (_, index) => ({
        id: `${index}`,
        method: "GET",
        url: inbox,
      }));
      const [answer] = await together(
        [ask(target, "/$batch", { method: "POST", body: { requests } })],
        null,
      );
      expect(answer!.json.responses.map((each: Loose) => each.status)).toEqual(Array(12).fill(200));
    });

    // https://learn.microsoft.com/graph/json-batching
    it("two batches at a time are not: members get their own 429 with their own Retry-After", async () => {
      const batch = () =>
        ask(target, "/$batch", {
          method: "POST",
          body: {
            requests: Array.from({ length: 20 }, (_, index) => ({
              id: `${index}`,
              method: "GET",
              url: inbox,
            })),
          },
        });
      const answers = await together([batch(), batch(), batch()], refusals());
      expect(answers.map((each) => each.status)).toEqual([200, 200, 200]);
      const refused = answers
        .flatMap((each) => each.json.responses)
        .filter((each: Loose) => each.status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(Number(refused[0].headers["Retry-After"])).toBeGreaterThan(0);
    });
  });
}
