import { describe, expect, it } from "vitest";
import { isTooDeep, readNotifications } from "./read-notifications.ts";

const GOOD = {
  subscriptionId: "s-1",
  clientState: "secret",
  changeType: "created",
  resource: "Users/u/Messages/m",
  resourceData: { id: "m" },
};

/** What is read of one item; null if it is no notification. */
function read(raw: unknown) {
  const { items } = readNotifications({ value: [raw] }) as { items: unknown[] };
  expect(items).toHaveLength(1);
  return items[0];
}

describe("a body", () => {
  it.each([
    ["a text", "x"],
    ["null", null],
    ["a list", []],
    ["an object whose value is no list", { value: {} }],
  ])("that is %s is not a collection", (_, body) => {
    expect(readNotifications(body)).toBe("not-a-collection");
  });

  it("may be nested eight levels deep and no deeper [S11]", () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
    expect([isTooDeep(nested(8)), isTooDeep(nested(9))]).toEqual([false, true]);
  });
});

describe("an item", () => {
  it("with subscription, secret and change is read", () => {
    expect(read(GOOD)).toMatchObject({ subscriptionId: "s-1", change: "created", messageId: "m" });
  });

  it.each([
    ["is null", null],
    ["is a text", "x"],
    ["names no subscription", { ...GOOD, subscriptionId: undefined }],
    ["has no secret", { ...GOOD, clientState: undefined }],
    ["names no change", { ...GOOD, changeType: undefined }],
    ["names an unknown change", { ...GOOD, changeType: "moved" }],
    ["names a property that every object has", { ...GOOD, changeType: "toString" }],
    ["gives a lifecycle event as a change", { ...GOOD, changeType: "missed" }],
    ["gives a change as a lifecycle event", { ...GOOD, lifecycleEvent: "created" }],
  ])("that %s is no notification, and the reader does not fail", (_, raw) => {
    expect(read(raw)).toBeNull();
  });

  it("of a change names its message, and a lifecycle notice none", () => {
    const missed = { ...GOOD, changeType: undefined, lifecycleEvent: "missed" };
    expect(read(missed)).toMatchObject({ change: "missed", messageId: null });
    for (const resourceData of [undefined, null, "x", 7])
      expect(read({ ...GOOD, resourceData })).toMatchObject({ messageId: "m" });
  });

  it("has no text that is empty or longer than 1,024 characters", () => {
    expect(read({ ...GOOD, lifecycleEvent: "" })).toMatchObject({ change: "created" });
    expect(read({ ...GOOD, clientState: "" })).toBeNull();
    expect(read({ ...GOOD, tenantId: "t".repeat(1_024) })).toMatchObject({
      tenantId: "t".repeat(1_024),
    });
    expect(read({ ...GOOD, tenantId: "t".repeat(1_025) })).toMatchObject({ tenantId: null });
  });

  const GREETING = { subscriptionId: "NA", changeType: "Validation: x", clientState: "s" };

  it("that Graph sends to greet an event hub is left out", () => {
    expect(readNotifications({ value: [GREETING, GOOD] })).toMatchObject({
      items: [{ subscriptionId: "s-1" }],
    });
  });

  it.each([
    ["another subscription", { subscriptionId: "s-1" }],
    ["a change that is no text", { changeType: ["Validation: x"] }],
    ["another change", { changeType: "created" }],
  ])("that greets like Graph but with %s is judged like any other", (_, more) => {
    const { items } = readNotifications({ value: [{ ...GREETING, ...more }] }) as {
      items: unknown[];
    };
    expect(items).toHaveLength(1);
  });
});
