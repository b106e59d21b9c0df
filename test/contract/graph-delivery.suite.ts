import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  ask,
  type GraphTarget,
  IMMUTABLE,
  itemsOf,
  makeMessage,
  subscribe,
  unsubscribeAll,
  until,
  validationTokenOf,
} from "./graph-target.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How notifications are delivered. With a real tenant the slow cases take hours; `can` names the cases to run. */
export function testDelivery(
  name: string,
  open: () => Promise<GraphTarget>,
  can: readonly ("clock" | "faults")[],
): void {
  describe(name, () => {
    let target: GraphTarget;
    const receiver = () => target.receiver!;
    const items = () => itemsOf(receiver());
    beforeAll(async () => {
      target = await open();
    });
    beforeEach(async () => {
      receiver().behave(null);
      if (can.includes("clock")) await target.pass(5 * HOUR_MS);
      await unsubscribeAll(target);
      receiver().requests.length = 0;
    });
    const answers = (list: { status?: number; tookMs?: number }[]) =>
      receiver().behave((request) => {
        const token = validationTokenOf(request);
        return token === null ? (list.shift() ?? {}) : { status: 200, body: token };
      });

    // https://learn.microsoft.com/graph/api/resources/changenotification
    it("an item names the subscription, the change, the message and the client state", async () => {
      const made = await subscribe(target, { changeType: "created" });
      await makeMessage(target, "told");
      await until(target, () => items().length > 0);
      expect(items()[0]).toMatchObject({
        subscriptionId: made.json.id,
        changeType: "created",
        clientState: "conformance",
        resourceData: { "@odata.type": "#Microsoft.Graph.Message" },
      });
      expect(items()[0].resource).toMatch(/^users\b.+messages\b/i);
    });

    // https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#receive-notifications
    it("any 2xx within three seconds ends the delivery", async () => {
      await subscribe(target, { changeType: "created" });
      answers([{ status: 204, tookMs: 2_900 }]);
      await makeMessage(target, "once");
      await until(target, () => items().length > 0);
      if (can.includes("clock")) await target.pass(HOUR_MS);
      expect(items()).toHaveLength(1);
    });

    // https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#receive-notifications
    it("after 3.1 seconds it is repeated, and the repetition has ten seconds", async () => {
      await subscribe(target, { changeType: "created" });
      answers([
        { status: 202, tookMs: 3_100 },
        { status: 202, tookMs: 9_900 },
      ]);
      await makeMessage(target, "twice");
      await until(target, () => items().length > 1);
      if (can.includes("clock")) await target.pass(HOUR_MS);
      expect(items()).toHaveLength(2);
    });

    // https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#receive-notifications
    it("a 4xx is repeated like any failure", async () => {
      await subscribe(target, { changeType: "created" });
      answers([{ status: 400 }, { status: 404 }]);
      await makeMessage(target, "refused");
      await until(target, () => items().length === 3);
      expect(new Set(items().map((each) => each.resourceData.id)).size).toBe(1);
    });

    // https://learn.microsoft.com/graph/outlook-change-notifications-overview
    it("items of two subscriptions may share a request, each with its own client state", async () => {
      const folder = `users/${target.mailbox}/mailFolders('inbox')/messages`;
      await subscribe(target, { changeType: "created" });
      await subscribe(target, { changeType: "created", resource: folder, clientState: "other" });
      await makeMessage(target, "for both");
      await until(target, () => items().length === 2);
      expect(new Set(items().map((each) => each.clientState))).toEqual(
        new Set(["conformance", "other"]),
      );
    });

    if (can.includes("clock")) {
      // https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#receive-notifications
      it("it is given up after four hours, with growing waits until then", async () => {
        await subscribe(target, { changeType: "created" });
        answers(Array(100).fill({ status: 503 }));
        await makeMessage(target, "hopeless");
        await target.pass(8 * HOUR_MS);
        const times = receiver()
          .requests.filter((each) => validationTokenOf(each) === null)
          .map((each) => each.atMs);
        const waits = times.slice(1).map((atMs, index) => atMs - times[index]!);
        expect(waits).toEqual([...waits].sort((left, right) => left - right));
        expect(times.at(-1)! - times[0]!).toBeLessThanOrEqual(4 * HOUR_MS);
        expect(times.length).toBeGreaterThan(5);
      });

      // https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#throttling
      it("an endpoint that is slow too often waits ten minutes for new items", async () => {
        await subscribe(target, { changeType: "created" }, IMMUTABLE);
        answers(Array(10).fill({ status: 202, tookMs: 4_000 }));
        for (let index = 0; index < 10; index++) {
          await makeMessage(target, `slow ${index}`);
          await target.pass(1000);
        }
        const startedMs = target.now();
        const fresh = await makeMessage(target, "delayed");
        const isTold = () => items().some((each) => each.resourceData?.id === fresh.id);
        await until(target, isTold, 30 * MINUTE_MS);
        expect(target.now() - startedMs).toBeGreaterThanOrEqual(10 * MINUTE_MS - 1000);
      });

      // https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#throttling
      it("an endpoint that is far too slow loses everything for ten minutes, and then gets missed", async () => {
        const lifecycleNotificationUrl = receiver().url;
        await subscribe(target, { changeType: "created", lifecycleNotificationUrl }, IMMUTABLE);
        answers(Array(60).fill({ status: 0, tookMs: 10_100 }));
        for (let index = 0; index < 12; index++) {
          await makeMessage(target, `dropped ${index}`);
          await target.pass(5000);
        }
        await target.pass(MINUTE_MS);
        receiver().behave(null);
        const lost = await makeMessage(target, "lost");
        await target.pass(HOUR_MS);
        expect(items().some((each) => each.lifecycleEvent === "missed")).toBe(true);
        expect(items().some((each) => each.resourceData?.id === lost.id)).toBe(false);
      });
    }

    if (can.includes("faults")) {
      // https://learn.microsoft.com/graph/api/resources/subscription
      it("a change may be notified twice, and an update before its creation", async () => {
        await subscribe(target, {}, IMMUTABLE);
        target.arm!({ kind: "duplicate-notification", remaining: 1 });
        await makeMessage(target, "double");
        await until(target, () => items().length === 2);
        expect(items()[0]).toEqual(items()[1]);
        receiver().requests.length = 0;
        target.arm!({ kind: "reorder-notifications", remaining: 1 });
        const sent = await target.deliver!({ subject: "overtaken" });
        await ask(target, `/users/${target.mailbox}/messages/${sent.id}`, {
          method: "PATCH",
          body: { isRead: true },
        });
        await until(target, () => items().length === 2);
        expect(items().map((each) => each.changeType)).toEqual(["updated", "created"]);
      });

      // https://learn.microsoft.com/graph/api/subscription-post-subscriptions
      it("a notification may arrive before the answer to the subscriber", async () => {
        await makeMessage(target, "already there");
        target.arm!({ kind: "notification-before-201", remaining: 1 });
        let early = 0;
        const pending = subscribe(target).then((made) => {
          early = items().length;
          return made;
        });
        const made = await pending;
        expect(early).toBe(1);
        expect(items()[0].subscriptionId).toBe(made.json.id);
      });
    }
  });
}
