import { describe, expect, it } from "vitest";
import { findCoverage } from "../../src/mailbox/events/event-statistics.ts";
import { ensureSubscriptions } from "../../src/mailbox/subscriptions/ensure-subscriptions.ts";
import { createRandom } from "../../tenant/random.ts";
import { aScene, type Scene } from "./scene.ts";

const HOUR_MS = 60 * 60_000;
const HOURS = 30 * 24;

describe("a month with a fifth of the notifications lost", () => {
  it("the log equals the mailbox, and the coverage shown matches the injected loss [DLT-01] [SUB-31] [R10] [H-13] [H-14]", {
    timeout: 600_000,
  }, async () => {
    const scene = await aScene({
      switches: { updatedAfterCreated: false, moveNotification: "updated" },
    });
    scene.faults.arm({ kind: "drop-notification", probability: 0.2 });
    const random = createRandom("a month");
    const desk: Paper[] = [];
    let changes = 0;
    for (let hour = 0; hour < HOURS; hour++) {
      changes += await workInTheOffice(scene, random, desk, hour);
      await scene.settle();
      await scene.tenant.clock.advance(HOUR_MS);
      await keepUp(scene, hour);
    }
    expect(await scene.differences()).toEqual([]);
    const [coverage] = await findCoverage(scene.pool, new Date(0));
    expect(coverage!.events).toBe(changes);
    // A point is some fifty of these events, and what was dropped is counted, not estimated.
    expect(changes).toBeGreaterThan(5_000);
    const dropped = journalCount(scene, "notification.dropped");
    expect(dropped / changes).toBeGreaterThan(0.15);
    expect(Math.abs(coverage!.pushCoverage! - (1 - dropped / changes))).toBeLessThan(0.01);
    expect(coverage!.rescued).toBe(coverage!.events - coverage!.byPush);
    // Graph ends a subscription after three days at most: without renewals push would have ended.
    expect(journalCount(scene, "subscription.renewed")).toBeGreaterThanOrEqual(10);
    expect((await scene.subscriptions()).filter((row) => row.status === "active")).toHaveLength(1);
  });
});

/** The newest messages, as people have left them. */
interface Paper {
  readonly id: string;
  readonly folder: "inbox" | "archive";
  readonly isRead: boolean;
  readonly flag: "flagged" | "notFlagged";
}

/** What people do in an hour: to each message at most one thing, so that each has one notification. */
async function workInTheOffice(
  { admin, user }: Scene,
  random: ReturnType<typeof createRandom>,
  desk: Paper[],
  hour: number,
): Promise<number> {
  if (hour % 24 >= 10) return 0;
  let changes = 0;
  const kept = desk.splice(0).slice(-60);
  for (const paper of kept) {
    const left = random.chance(0.1) ? handlePaper(admin, user.id, random, paper) : paper;
    if (left !== paper) changes += 1;
    if (left !== null) desk.push(left);
  }
  for (let mail = random.below(26); mail > 0; mail--, changes++) {
    const sent = await admin.sendMail({ to: user.id, subject: `Mail ${hour}-${mail}` });
    desk.push({ id: sent[0]!.id, folder: "inbox", isRead: false, flag: "notFlagged" });
  }
  return changes;
}

/** One thing is done to a message; null when it is gone. */
function handlePaper(
  admin: Scene["admin"],
  userId: string,
  random: ReturnType<typeof createRandom>,
  paper: Paper,
): Paper | null {
  switch (random.below(4)) {
    case 0:
      admin.markRead(userId, paper.id, !paper.isRead);
      return { ...paper, isRead: !paper.isRead };
    case 1: {
      const flag = paper.flag === "flagged" ? "notFlagged" : "flagged";
      admin.flag(userId, paper.id, flag);
      return { ...paper, flag };
    }
    case 2: {
      const folder = paper.folder === "archive" ? "inbox" : "archive";
      return { ...paper, folder, id: admin.move(userId, paper.id, folder).id };
    }
    default:
      admin.hardDelete(userId, paper.id);
      return null;
  }
}

/** Delta and the cheap look at the subscription; every two hours the thorough one. */
async function keepUp(scene: Scene, hour: number): Promise<void> {
  const lists = hour % 2 === 0;
  await ensureSubscriptions(scene.app.subscriptions, undefined, { lists });
  await scene.app.readAll();
  await scene.app.tick();
}
function journalCount(scene: Scene, kind: string): number {
  return scene.tenant.journal.entries().filter((entry) => entry.kind === kind).length;
}
