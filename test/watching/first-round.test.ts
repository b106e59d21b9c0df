import { describe, expect, it } from "vitest";
import { findEvents } from "../../src/mailbox/events/event-table.ts";
import { aScene, type Scene } from "./scene.ts";

const TOTAL = 50_001;
const PAGE = 500;
const HALF_WAY = 50;

describe("the first round of a folder", () => {
  it("a first round of fifty thousand messages is complete, floods no queue, and live mail overtakes it [R08] [R45] [DLT-12] [H-13]", {
    timeout: 600_000,
  }, async () => {
    const scene = await aScene({ switches: { messageDeltaPageSize: PAGE } });
    scene.admin.createFolder(scene.user.id, "Old mail");
    scene.admin.addLazyMailbox(scene.user.id, "Old mail", TOTAL, (index) => ({
      subject: `Old ${index}`,
      from: "a@example.com",
    }));
    const jobsBefore = scene.engine.count;
    let liveAmong = 0;
    // Half-way through new mail arrives, and its event is there before the round goes on.
    const hear = async () => {
      await scene.admin.sendMail({ to: scene.user.id, subject: "Live" });
      await scene.settle();
      const live = await findEvents(scene.pool, { text: "Live" });
      expect(live.map((event) => event.seenBy)).toEqual(["push"]);
      liveAmong = await countEvents(scene);
    };
    const report = await scene.readAll({ ...duringPage(scene, HALF_WAY, hear), pageSize: PAGE });
    expect(report).toMatchObject({ messages: TOTAL, events: TOTAL, failed: [] });
    expect(liveAmong).toBeGreaterThan(1);
    expect(liveAmong).toBeLessThan(TOTAL);
    expect(await countEvents(scene)).toBe(TOTAL + 1);
    // The notification's job, and none for what was there before.
    expect(scene.engine.count - jobsBefore).toBe(1);
    expect(await scene.readAll()).toMatchObject({ events: 0, failed: [] });
  });
});

/** A client of Graph that does something else while a certain delta page is under way. */
function duringPage(scene: Scene, nth: number, task: () => Promise<void>) {
  const { graphOf } = scene.needs;
  let pages = 0;
  return {
    graphOf: (...args: Parameters<typeof graphOf>): ReturnType<typeof graphOf> => {
      const graph = graphOf(...args);
      return {
        ...graph,
        call: async <T>(call: Parameters<typeof graph.call>[0]) => {
          const answer = await graph.call<T>(call);
          if (call.path.includes("/messages/delta") && ++pages === nth) await task();
          return answer;
        },
      };
    },
  };
}

async function countEvents(scene: Scene): Promise<number> {
  const { rows } = await scene.pool.query<{ n: number }>(
    "SELECT count(DISTINCT message_id) AS n FROM postroom.event",
  );
  return rows[0]!.n;
}
