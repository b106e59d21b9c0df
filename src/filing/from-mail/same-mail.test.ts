import { expect, it } from "vitest";
import { mailKeyOf } from "./same-mail.ts";

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

it.each([
  ["no id", null, {}],
  ["an empty id", "<>", {}],
  ["no sender", ID, { senderEmail: null }],
])("a message with %s has no key: two of them may be two messages", (_, id, more) => {
  expect(mailKeyOf(id, { ...found, ...more })).toBeNull();
});
