import { describe, expect, it } from "vitest";
import { findApproval, normalizeAddress, objectionToPattern } from "./sender.ts";

const objection = (pattern: string) => objectionToPattern(normalizeAddress(pattern));

describe("approving a whole domain", () => {
  it.each([
    ...["@gmail.com", "@GMAIL.com", "@googlemail.com", "@outlook.com", "@gmx.net", "@proton.me"],
    // Providers have the same name under many top-level domains.
    ...["@yahoo.com.sg", "@hotmail.nl", "@live.com.au", "@outlook.com.br", "@yandex.kz"],
    // Full-width letters are the same domain.
    "@ｇｍａｉｌ.com",
  ])("is refused where anybody can get an address: %s", (pattern) => {
    expect(objection(pattern)).toMatch(/^anybody can get an address at /);
  });

  it.each([
    "@broker.example",
    "@mail.broker.example",
    "@gmail.broker.example",
    "@live-desk.example",
  ])("is possible where one firm gives them out: %s", (pattern) =>
    expect(objection(pattern)).toBeNull(),
  );

  it("single addresses of public providers can be approved", () => {
    expect(objection("my.broker@gmail.com")).toBeNull();
  });

  it.each([
    "gmail.com",
    "@",
    "@com",
    "@gmail.com.",
    "a@b@c.example",
    "<a@b.example>",
    "a b@c.example",
    "",
  ])("what is neither an address nor a domain is refused: %s", (pattern) =>
    expect(objection(pattern)).toMatch(/neither an address nor @domain$/),
  );
});

describe("an approval", () => {
  const approval = (pattern: string, until: string | null = null) => ({
    ...{ pattern, until, approvedBy: "vera", approvedAt: new Date(0) },
  });
  const covers = (pattern: string, address: string, until: string | null = null) =>
    findApproval([approval(pattern, until)], address, "2026-02-10") !== null;

  it("covers its address or its domain in any spelling, and no subdomain, mother or look-alike", () => {
    expect(covers("desk@broker.example", "Desk@BROKER.example")).toBe(true);
    expect(covers("@broker.example", "any@broker.example")).toBe(true);
    expect(covers(normalizeAddress("@bröker.example"), "any@BRÖKER.example")).toBe(true);
    for (const other of [
      "a@sub.broker.example",
      "a@example",
      "a@notbroker.example",
      "a@broker.example.evil.example",
    ])
      expect([other, covers("@broker.example", other)]).toEqual([other, false]);
    expect(covers("desk@broker.example", "xdesk@broker.example")).toBe(false);
  });

  it.each([
    ["a path behind the domain", "a@broker.example/.evil.example"],
    ["a query behind the domain", "a@broker.example?.evil.example"],
    ["an invisible letter in the domain", "a@bro\u00ADker.example"],
    ["a percent sign in the domain", "a@broker%2eexample"],
    ["a domain in front of the domain", "a@broker.example@evil.example"],
    ["a dot behind the domain", "a@broker.example."],
  ])("does not cover an address with %s", (_, address) => {
    expect(covers("@broker.example", address)).toBe(false);
  });

  it("of a domain that is none in ASCII covers only the same letters", () => {
    const odd = "any@xn--iñvalid.example";
    expect(normalizeAddress(odd)).toBe(odd);
    expect(covers("@xn--iñvalid.example", odd)).toBe(true);
  });

  it("of an address does not cover a letter that only becomes the same in lower case", () => {
    expect(covers("desk@broker.example", "DESK@broker.example")).toBe(true);
    expect(covers("desk@broker.example", "des\u212A@broker.example")).toBe(false);
  });

  it("counts on its last day and not on the next", () => {
    expect(covers("@broker.example", "a@broker.example", "2026-02-10")).toBe(true);
    expect(covers("@broker.example", "a@broker.example", "2026-02-09")).toBe(false);
  });
});
