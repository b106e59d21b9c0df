import { describe, expect, it } from "vitest";
import { whyNotFiled } from "../attachment-noise.ts";
import { decideMail, type MailFacts, type MailRule } from "./mail-rules.ts";

const aRule = (rule: Partial<MailRule>): MailRule => ({
  name: "rule",
  type: "Exclude",
  priority: 1,
  field: "subject",
  pattern: "x",
  ...rule,
});
const FACTS: MailFacts = { subject: ["Fee note"], from: ["no-reply@law.example"], cc: [] };

describe("rules for mail", () => {
  it("are tried by priority, and the first match decides [X-09]", () => {
    const rules = [
      aRule({
        name: "second",
        priority: 20,
        type: "Exclude",
        field: "from",
        pattern: "^no-?reply@",
      }),
      aRule({ name: "first", priority: 10, type: "Include", pattern: "FEE" }),
    ];
    expect(decideMail(rules, FACTS, "Ignore")).toEqual({ action: "AutoSave", rule: "first" });
    expect(decideMail(rules.slice(0, 1), FACTS, "AutoSave")).toEqual({
      action: "Ignore",
      rule: "second",
    });
    const route = [aRule({ name: "route", type: "Route", pattern: "note" })];
    expect(decideMail(route, FACTS, "Ignore")).toEqual({ action: "ReviewRequired", rule: "route" });
  });

  it("of the kind Route file the mail, at their place or with a question to a person [X-09]", () => {
    const route = { parent: "sprk_matter:1" };
    const placed = aRule({ name: "route", type: "Route", pattern: "note", route });
    expect(decideMail([placed], FACTS, "Ignore")).toEqual({
      ...{ action: "AutoSave", rule: "route", route },
    });
  });

  it("without a match leave the default action [X-09]", () => {
    expect(decideMail([aRule({})], FACTS, "AutoSave")).toEqual({ action: "AutoSave", rule: null });
    expect(decideMail([], {}, "Ignore")).toEqual({ action: "Ignore", rule: null });
  });

  it("report a field that is not known yet, unless an earlier rule decides [MAIL2DOC-05] [X-09]", () => {
    const asksMore = aRule({ field: "attachmentname", priority: 5, pattern: "exe" });
    expect(decideMail([asksMore], FACTS, "Ignore")).toEqual({ needs: "attachmentname" });
    const before = aRule({ name: "before", priority: 1, pattern: "fee" });
    expect(decideMail([asksMore, before], FACTS, "Ignore")).toEqual({
      action: "Ignore",
      rule: "before",
    });
  });

  it("that are invalid or take too long are skipped and reported [X-09]", () => {
    const skipped: string[] = [];
    const rules = [
      aRule({ name: "broken", pattern: "(" }),
      aRule({ name: "endless", pattern: "^(a+)+$", priority: 2 }),
      aRule({ name: "good", pattern: "!$", priority: 3 }),
    ];
    const facts = { subject: [`${"a".repeat(40)}!`] };
    const decision = decideMail(rules, facts, "AutoSave", (rule) => skipped.push(rule.name));
    expect(decision).toEqual({ action: "Ignore", rule: "good" });
    expect(skipped).toEqual(["broken", "endless"]);
  });
});

describe("an attachment", () => {
  it.each([
    ["contract.pdf", 100, true],
    ["photo.jpg", 90_000, true],
    ["photo.jpg", 4_000, false],
    ["image001.png", 90_000, false],
    ["logo-firm.gif", 90_000, false],
    ["invite.ICS", 100, false],
    ["setup.exe", 100, false],
    ["empty.txt", 0, false],
    ["large.zip", 26 * 1024 * 1024, false],
  ])("%s of %i bytes becomes a document: %s [X-08]", (name, size, is) => {
    expect(whyNotFiled({ name, size }, 25 * 1024 * 1024) === null).toBe(is);
  });
});
