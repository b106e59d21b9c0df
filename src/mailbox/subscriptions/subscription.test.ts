import { describe, expect, it } from "vitest";
import { GraphApiError } from "../../microsoft/graph/graph-fault.ts";
import { explainRefusal } from "../explain-refusal.ts";
import { messageIdOf, notificationKey } from "../notifications/notification.ts";
import { chooseDelivery } from "./choose-delivery.ts";
import { needsRenewal, nextShorterLifetime } from "./subscription.ts";

const HOUR_MS = 3_600_000;
const at = (ms: number) => new Date(ms);

describe("the renewal of a subscription", () => {
  it("a subscription is renewed with less than a day left, or less than half its life if that is shorter [SUB-20] [H-14]", () => {
    const week = 10_080;
    expect(needsRenewal(at(24 * HOUR_MS), week, at(0))).toBe(false);
    expect(needsRenewal(at(24 * HOUR_MS - 1), week, at(0))).toBe(true);
    const day = 1_440;
    expect(needsRenewal(at(12 * HOUR_MS), day, at(0))).toBe(false);
    expect(needsRenewal(at(12 * HOUR_MS - 1), day, at(0))).toBe(true);
  });

  it("after a refusal the next shorter lifetime that Graph is known to grant is tried [SUB-11]", () => {
    expect(nextShorterLifetime(10_080)).toBe(4_230);
    expect(nextShorterLifetime(5_000)).toBe(4_230);
    expect(nextShorterLifetime(60)).toBeNull();
  });
});

describe("a notification", () => {
  it("the message id is read from resourceData or from the end of the resource [WEB-15]", () => {
    expect(messageIdOf("A", "users/x/messages/B")).toBe("A");
    expect(messageIdOf(undefined, "users/mailbox@company.com/messages/AAMkAGI2...")).toBe(
      "AAMkAGI2...",
    );
    expect(messageIdOf("", "Users('x')/messages('C')")).toBe("C");
    expect(messageIdOf(undefined, "users/x/messages")).toBeNull();
    expect(messageIdOf(undefined, null)).toBeNull();
  });

  it("a repeated notification has the same key, another change has another key, and lifecycle notices share one key per minute [WEB-21]", () => {
    const item = {
      subscriptionId: "s",
      clientState: "",
      tenantId: null,
      change: "updated" as const,
      resource: null,
      messageId: "m",
      etag: "1",
      notificationId: null,
      expiration: null,
      encryptedContent: null,
    };
    expect(notificationKey(item, 0)).toBe(notificationKey(item, 9 * HOUR_MS));
    expect(notificationKey({ ...item, etag: "2" }, 0)).not.toBe(notificationKey(item, 0));
    const missed = { ...item, change: "missed" as const, messageId: null, etag: null };
    expect(notificationKey(missed, 0)).toBe(notificationKey(missed, 59_000));
    expect(notificationKey(missed, 0)).not.toBe(notificationKey(missed, 61_000));
  });
});

describe("how mail reaches us", () => {
  const pushed = { delivery: "push" as const, deliveryReason: "subscribed" };
  const signs = { isSubscribed: true, byPush: 0, rescued: 0, lastPushAt: null, isNotified: false };

  it("delivery is push while notifications come, and poll while they are silent [SUB-31]", () => {
    expect(chooseDelivery(pushed, signs).delivery).toBe("push");
    expect(chooseDelivery(pushed, { ...signs, rescued: 2 }).delivery).toBe("push");
    expect(chooseDelivery(pushed, { ...signs, rescued: 3 })).toMatchObject({
      delivery: "poll",
      reason: expect.stringContaining("no notification has ever arrived"),
    });
    expect(chooseDelivery(pushed, { ...signs, rescued: 9, byPush: 1 }).delivery).toBe("push");
    expect(chooseDelivery(pushed, { ...signs, rescued: 9, isNotified: true }).delivery).toBe(
      "push",
    );
  });

  it("delivery stays poll until a notification comes, and is delta without a subscription", () => {
    const polled = { delivery: "poll" as const, deliveryReason: "silent" };
    expect(chooseDelivery(polled, signs)).toEqual({ delivery: "poll", reason: "silent" });
    expect(chooseDelivery(polled, { ...signs, byPush: 1 }).delivery).toBe("push");
    expect(chooseDelivery(pushed, { ...signs, isSubscribed: false }).delivery).toBe("delta");
  });
});

describe("a refusal by Graph", () => {
  const refusal = (status: number, code: string) =>
    explainRefusal(
      new GraphApiError("/v1.0/users/x", {
        status,
        headers: {},
        body: Buffer.from(JSON.stringify({ error: { code, message: "secret words" } })),
      }),
    );
  it.each([
    [404, "MailboxNotEnabledForRESTAPI", "no licence, or it is on premises"],
    [404, "Request_ResourceNotFound", "no such user"],
    [403, "ErrorAccessDenied", "application access policy"],
    [403, "Authorization_RequestDenied", "User.Read.All"],
    [401, "InvalidAuthenticationToken", "check the tenant"],
    [400, "Whatever", "Graph answered 400 Whatever"],
  ])("%i %s is explained in words [R23] [GRA-08]", (status, code, words) => {
    expect(refusal(status, code)).toContain(words);
    expect(refusal(status, code)).not.toContain("secret words");
  });
});
