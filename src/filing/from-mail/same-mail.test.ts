import { expect, it } from "vitest";
import type { Filing } from "../filing.ts";
import { isComposedOf, isSameMail, mailKeyOf } from "./same-mail.ts";

const found = { senderEmail: "counsel@law.example", subject: "Fee note" };
const ID = "<m-1@law.example>";

it("a message has one key however its id, sender and subject are written", () => {
  const key = mailKeyOf(ID, found);
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(mailKeyOf(" m-1@law.example ", found)).toBe(key);
  const spelled = { senderEmail: " Counsel@LAW.example", subject: " Fee \t note " };
  expect(mailKeyOf(ID, spelled)).toBe(key);
});

it.each([
  ["another id", "<m-2@law.example>", {}],
  ["another sender", ID, { senderEmail: "counsel@evil.example" }],
  ["another subject", ID, { subject: "Fee notes" }],
])("%s is another message", (_, id, more) => {
  expect(mailKeyOf(id, { ...found, ...more })).not.toBe(mailKeyOf(ID, found));
});

const filed = (columns: object = {}) =>
  ({
    columns: {
      sprk_emaildate: "2026-02-17T09:00:00Z",
      sprk_emailfrom: "counsel@law.example",
      sprk_emailto: "nina@firm.example; omar@firm.example",
      sprk_emailcc: null,
      sprk_emailsubject: "Fee note",
      ...columns,
    },
  }) as unknown as Filing;

it("a filing with the same key is of the same message if its time is within an hour", () => {
  const at = (date: string) => isSameMail(filed(), { date: new Date(date) });
  expect([at("2026-02-17T08:00:00Z"), at("2026-02-17T10:00:00Z")]).toEqual([true, true]);
  expect([at("2026-02-17T07:59:59Z"), at("2026-02-17T10:00:01Z")]).toEqual([false, false]);
});

it("an e-mail that was filed from its parts is a mailbox's message if a party has it and all agrees", () => {
  const message = { ...found, messageId: "m", receivedAt: new Date("2026-02-17T09:05:00Z") };
  const isOf = (mailbox: string, columns: object = {}) =>
    isComposedOf(filed(columns), { ...message, mailbox });
  expect([isOf("nina@firm.example"), isOf("omar@firm.example")]).toEqual([true, true]);
  const copied = { sprk_emailcc: "priya@firm.example" };
  expect([isOf("priya@firm.example"), isOf("priya@firm.example", copied)]).toEqual([false, true]);
  for (const columns of [
    { sprk_emailfrom: null },
    { sprk_emailsubject: null },
    { sprk_emaildate: null },
  ])
    expect([columns, isOf("nina@firm.example", columns)]).toEqual([columns, false]);
});

it.each([
  ["no id", null, {}],
  ["an empty id", "<>", {}],
  ["no sender", ID, { senderEmail: null }],
])("a message with %s has no key: two of them may be two messages", (_, id, more) => {
  expect(mailKeyOf(id, { ...found, ...more })).toBeNull();
});
