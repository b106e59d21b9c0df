import { expect, it } from "vitest";
import { isOriginalOf } from "./original-mail.ts";

const mail = {
  from: "counsel@law.example",
  to: ["Nina@firm.example"],
  cc: ["omar@firm.example"],
  subject: "Fee note CRM:0042",
  date: new Date("2026-02-17T09:00:00Z"),
  trackingToken: "CRM:0042",
};
const found = {
  mailbox: "nina@firm.example",
  messageId: "m",
  senderEmail: "Counsel@law.example",
  subject: "Fee  note",
  receivedAt: new Date("2026-02-17T09:05:00Z"),
};

it("a message is the original of a mail if a party has it and sender, subject and time agree", () => {
  expect(isOriginalOf(mail, found)).toBe(true);
  expect(isOriginalOf(mail, { ...found, mailbox: "omar@firm.example" })).toBe(true);
  const own = { ...mail, from: "nina@firm.example", to: ["x@out.example"], cc: [] };
  expect(isOriginalOf(own, { ...found, senderEmail: "nina@firm.example" })).toBe(true);
});

it("a mail without a tracking token has its subject whole", () => {
  for (const trackingToken of [null, ""]) {
    const plain = { ...mail, subject: "Null and void", trackingToken };
    expect(isOriginalOf(plain, { ...found, subject: "Null and void" })).toBe(true);
    expect(isOriginalOf(plain, { ...found, subject: " and void" })).toBe(false);
  }
});

it.each([
  ["a mailbox that is no party of the mail", {}, { mailbox: "priya@firm.example" }],
  ["another sender", {}, { senderEmail: "other@law.example" }],
  ["a message without a sender", {}, { senderEmail: null }],
  ["a row without a sender", { from: null }, {}],
  ["another subject", {}, { subject: "Fee notes" }],
  ["another time", {}, { receivedAt: new Date("2026-02-17T10:00:01Z") }],
  ["an earlier time", {}, { receivedAt: new Date("2026-02-17T07:59:59Z") }],
  ["a message that was never received", {}, { receivedAt: null }],
])("%s is not enough", (_, row, message) => {
  expect(isOriginalOf({ ...mail, ...row }, { ...found, ...message })).toBe(false);
});
