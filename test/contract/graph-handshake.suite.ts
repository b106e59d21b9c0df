import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type Behaviour,
  type GraphTarget,
  subscribe,
  unsubscribeAll,
  validationTokenOf,
} from "./graph-target.ts";

/** How Graph makes sure of an address before it sends anything there. */
export function testHandshake(name: string, open: () => Promise<GraphTarget>): void {
  describe(name, () => {
    let target: GraphTarget;
    beforeAll(async () => {
      target = await open();
    });
    beforeEach(async () => {
      target.receiver!.behave(null);
      await unsubscribeAll(target);
      target.receiver!.requests.length = 0;
    });

    const refusedFor = async (behaviour: Behaviour) => {
      target.receiver!.behave(behaviour);
      const answer = await subscribe(target);
      expect(answer.status).toBe(400);
      expect(answer.json.error.message).toMatch(/validation request (failed|timed out)/i);
    };
    const echo =
      (change: (token: string) => ReturnType<Behaviour>): Behaviour =>
      (request) =>
        change(validationTokenOf(request) ?? "");

    // https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#notificationurl-validation
    it("the token comes URL-encoded with + for spaces, by POST as plain text without a body", async () => {
      expect((await subscribe(target)).status).toBe(201);
      const [request] = target.receiver!.requests;
      expect(request!.body).toBe("");
      expect(request!.contentType).toMatch(/^text\/plain/);
      const raw = request!.url.split("validationToken=")[1]!;
      expect(raw).toContain("%3a");
      expect(raw).toContain("+");
      expect(decodeURIComponent(raw)).not.toBe(validationTokenOf(request!));
    });

    // https://learn.microsoft.com/graph/change-notifications-lifecycle-events
    it("both addresses are called, even if they are the same", async () => {
      await subscribe(target, { lifecycleNotificationUrl: target.receiver!.url });
      expect(target.receiver!.requests).toHaveLength(2);
    });

    // https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#notificationurl-validation
    it("an answer within ten seconds is in time", async () => {
      target.receiver!.behave(echo((body) => ({ status: 200, body, tookMs: 9_900 })));
      expect((await subscribe(target)).status).toBe(201);
    });

    // https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#notificationurl-validation
    it("an answer after ten seconds does not count", () =>
      refusedFor(echo((body) => ({ status: 200, body, tookMs: 10_100 }))));

    // https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#notificationurl-validation
    it("202 instead of 200 does not count", () =>
      refusedFor(echo((body) => ({ status: 202, body }))));

    // https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#notificationurl-validation
    it("the token must be returned exactly, without a newline", () =>
      refusedFor(echo((token) => ({ status: 200, body: `${token}\n` }))));

    // https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#notificationurl-validation
    it("it must be returned as plain text, not as JSON", () =>
      refusedFor(echo((body) => ({ status: 200, body, contentType: "application/json" }))));

    // https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#notificationurl-validation
    it("a refused subscription does not exist", async () => {
      await refusedFor(() => ({ status: 500 }));
      target.receiver!.behave(null);
      expect((await subscribe(target)).status).toBe(201);
    });
  });
}
