import { expect, it } from "vitest";
import { createRejectionLimit } from "./rejection-limit.ts";

const spendAll = (address: string) => {
  const limit = createRejectionLimit({ now: () => 0 } as never);
  while (limit.spend(address));
  return limit;
};

it.each([
  ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"],
  ["2001:0db8:0001:0002::1", "2001:db8:1:2::2"],
  ["2001:db8::1", "2001:db8:0:0:1::"],
  ["::1", "::2"],
  ["fe80::1%eth0", "fe80::2"],
])("an IPv6 network counts as one caller: %s and %s", (one, other) => {
  expect(spendAll(one).isSpent(other)).toBe(true);
});

it.each([
  ["2001:db8:1:2::1", "2001:db8:1:3::1"],
  ["2001:db8::1", "2001:db8:0:1::1"],
  ["198.51.100.1", "198.51.100.2"],
  ["::ffff:198.51.100.1", "::ffff:198.51.100.2"],
  ["::1", "127.0.0.1"],
])("different networks and IPv4 addresses are different callers: %s and %s", (one, other) => {
  expect(spendAll(one).isSpent(other)).toBe(false);
});
