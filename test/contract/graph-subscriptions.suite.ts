import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  ask,
  type GraphTarget,
  itemsOf,
  subscribe,
  unsubscribeAll,
  until,
} from "./graph-target.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The life of a subscription. */
export function testSubscriptions(
  name: string,
  open: () => Promise<GraphTarget>,
  can: readonly ("clock" | "journal")[],
): void {
  describe(name, () => {
    let target: GraphTarget;
    beforeAll(async () => {
      target = await open();
    });
    beforeEach(async () => {
      await unsubscribeAll(target);
      target.receiver!.requests.length = 0;
    });
    const inMs = (ms: number) => ({
      expirationDateTime: new Date(target.now() + ms).toISOString(),
    });
    const patch = (id: string, body: object) =>
      ask(target, `/subscriptions/${id}`, { method: "PATCH", body });

    // https://learn.microsoft.com/graph/api/resources/subscription#properties
    it("an expiry under 45 minutes ahead is raised to 45 minutes", async () => {
      const { json } = await subscribe(target, inMs(MINUTE_MS));
      const minutes = (Date.parse(json.expirationDateTime) - target.now()) / MINUTE_MS;
      expect(minutes).toBeGreaterThan(44);
      expect(minutes).toBeLessThanOrEqual(46);
    });

    // https://learn.microsoft.com/graph/change-notifications-overview#subscription-lifetime
    it("mail lives 10,080 minutes at most", async () => {
      expect((await subscribe(target, inMs(10_079 * MINUTE_MS))).status).toBe(201);
      await unsubscribeAll(target);
      const refused = await subscribe(target, inMs(10_081 * MINUTE_MS));
      expect(refused.status).toBe(400);
      expect(refused.json.error.message).toContain("10080");
    });

    // https://learn.microsoft.com/graph/api/resources/subscription#properties
    it("a client state has 128 characters at most", async () => {
      expect((await subscribe(target, { clientState: "x".repeat(128) })).status).toBe(201);
      await unsubscribeAll(target);
      expect((await subscribe(target, { clientState: "x".repeat(129) })).status).toBe(400);
    });

    // https://learn.microsoft.com/graph/api/subscription-list
    it("a list shows no client state", async () => {
      const { json } = await subscribe(target);
      const list = await ask(target, "/subscriptions");
      const own = list.json.value.find((each: { id: string }) => each.id === json.id);
      expect(own.clientState).toBeNull();
    });

    // https://learn.microsoft.com/graph/api/subscription-update
    it("PATCH sets another expiry; reauthorize answers 204 and leaves it", async () => {
      const { json } = await subscribe(target, inMs(DAY_MS));
      const again = await ask(target, `/subscriptions/${json.id}/reauthorize`, { method: "POST" });
      expect(again.status).toBe(204);
      const kept = await ask(target, `/subscriptions/${json.id}`);
      expect(Date.parse(kept.json.expirationDateTime)).toBe(Date.parse(json.expirationDateTime));
      await unsubscribeAll(target);
      const other = await subscribe(target, inMs(DAY_MS));
      const renewed = await patch(other.json.id, inMs(2 * DAY_MS));
      expect(renewed.status).toBe(200);
      expect(Date.parse(renewed.json.expirationDateTime)).toBeGreaterThan(
        Date.parse(other.json.expirationDateTime),
      );
    });

    // https://learn.microsoft.com/graph/api/subscription-delete
    it("a deleted one is gone: 404", async () => {
      const { json } = await subscribe(target);
      const path = `/subscriptions/${json.id}`;
      expect((await ask(target, path, { method: "DELETE" })).status).toBe(204);
      expect((await ask(target, path)).status).toBe(404);
      expect((await patch(json.id, inMs(DAY_MS))).status).toBe(404);
    });

    // https://learn.microsoft.com/graph/api/subscription-post-subscriptions
    it("the same change types on the same resource conflict", async () => {
      await subscribe(target);
      expect((await subscribe(target)).status).toBe(409);
    });

    if (can.includes("clock")) {
      // https://learn.microsoft.com/graph/api/subscription-update
      it("a renewal after the expiry is 404", async () => {
        const { json } = await subscribe(target, inMs(DAY_MS));
        await target.pass(DAY_MS + MINUTE_MS);
        expect((await patch(json.id, inMs(DAY_MS))).status).toBe(404);
      });

      // https://learn.microsoft.com/graph/change-notifications-lifecycle-events
      it("reauthorizationRequired comes before the end, with the client state and no change type", async () => {
        const { json } = await subscribe(target, {
          ...inMs(DAY_MS),
          lifecycleNotificationUrl: target.receiver!.url,
        });
        const events = () =>
          itemsOf(target.receiver!).filter((each) => each.subscriptionId === json.id);
        await until(target, () => events().length > 0, DAY_MS);
        expect(events()[0]).toMatchObject({
          lifecycleEvent: "reauthorizationRequired",
          clientState: "conformance",
        });
        expect(events()[0].changeType).toBeUndefined();
      });
    }

    if (can.includes("journal")) {
      // https://learn.microsoft.com/graph/change-notifications-lifecycle-events#actions-to-take
      it("reauthorize and PATCH within ten minutes are written down as a trap", async () => {
        const { json } = await subscribe(target, inMs(DAY_MS));
        await ask(target, `/subscriptions/${json.id}/reauthorize`, { method: "POST" });
        await patch(json.id, inMs(DAY_MS));
        expect(target.journal!()).toContain("subscription.trap");
      });
    }
  });
}
