import { expect, it } from "vitest";
import { genuine } from "../../../test/trades/scene.ts";
import { evidenceOfMail, type SenderEvidence } from "../../ingestion/sender-evidence.ts";
import { authenticate } from "./authenticate.ts";

const FROM = "desk@broker.example";
const judge = (change: (results: string) => string, from = FROM) =>
  authenticate(from, genuine(FROM, change));
const mail = (more: Partial<SenderEvidence & { kind: "mail" }>) =>
  ({ ...genuine(FROM), ...more }) as SenderEvidence;

it("a mail is verified by Exchange's verdict without an authserv-id, the receiving domain between the methods", () => {
  expect(judge((results) => results)).toEqual({ kind: "verified" });
  expect(judge((results) => results.toUpperCase())).toEqual({ kind: "verified" });
  expect(authenticate("desk@BROKER.example", genuine(FROM))).toEqual({ kind: "verified" });
});

it.each([
  ["a domain without DMARC that passes anyway", "dmarc=pass", "dmarc=bestguesspass"],
  ["no SPF, if DKIM passed", "spf=pass", "spf=fail"],
  ["no DKIM, if SPF passed", "dkim=pass", "dkim=fail"],
  ["SPF of a subdomain", "smtp.mailfrom=broker.example", "smtp.mailfrom=bounce.broker.example"],
  ["a bracket that closes nothing", "dmarc=pass action=none", "dmarc=pass action=none)"],
])("%s is enough", (_, old, now) => {
  expect(judge((results) => results.replace(old, now))).toEqual({ kind: "verified" });
});

it("a forwarder that the tenant trusts vouches for a mail whose SPF and DKIM broke", () => {
  const forwarded = (reason: string) =>
    judge((results) =>
      results
        .replace("dmarc=pass", "dmarc=fail")
        .replaceAll(/(spf|dkim)=pass/g, "$1=fail")
        .replace("reason=100", `arc=pass reason=${reason}`),
    ).kind;
  expect(forwarded("130")).toBe("verified");
  expect(forwarded("131")).toBe("none");
});

it.each([
  ["compauth=fail", "compauth=pass reason=100", "compauth=fail reason=100", /compauth=fail/],
  ["compauth=softpass", "compauth=pass", "compauth=softpass", /softpass/],
  ["an implicit pass", "reason=100", "reason=702", /only with reason=702/],
  ["a pass without a reason", " reason=100", "", /only with reason=$/],
  ["no compauth", ";compauth=pass reason=100", "", /incomplete/],
  ["two compauth", "compauth=pass", "compauth=fail;compauth=pass", /contradicts/],
  ["no dmarc", "dmarc=pass", "dkim=pass", /incomplete/],
  ["dmarc=fail", "dmarc=pass", "dmarc=fail", /dmarc=fail/],
  ["a verdict about another domain", "header.from=broker", "header.from=evil", /not about/],
  ["a verdict about a subdomain", "header.from=broker", "header.from=a.broker", /not about/],
  ["an authserv-id", "spf=pass", "mx.evil.example; spf=pass", /not written by Exchange/],
  ["a pass inside a comment", "compauth=pass", "compauth=none (compauth=pass)", /compauth=none/],
  [
    "a comment that is never closed",
    "dkim=pass (signature",
    "dkim=pass header.d=broker.example;dmarc=pass header.from=broker.example;compauth=pass reason=100 ((signature",
    /not written by Exchange/,
  ],
  ["a pass in nested comments", "compauth=pass", "compauth=none (a(b)compauth=pass)", /none/],
])("%s does not authenticate", (_, old, now, why) => {
  expect(judge((results) => results.replace(old, now))).toEqual({
    kind: "none",
    why: expect.stringMatching(why),
  });
});

it.each([
  ["other domains", "evil.example"],
  ["a domain that only ends alike", "notbroker.example"],
  ["a whole top-level domain", "example"],
])("SPF and DKIM of %s do not authenticate", (_, other) => {
  const moved = judge((results) =>
    results.replaceAll(/(smtp.mailfrom|header.d)=broker.example/g, `$1=${other}`),
  );
  expect(moved).toMatchObject({ kind: "none", why: expect.stringMatching(/neither SPF nor DKIM/) });
});

it("SPF and DKIM of the domain above or below authenticate, as DMARC does", () => {
  const moved = (other: string, from: string) =>
    authenticate(
      from,
      genuine(from, (results) =>
        results.replaceAll(/(smtp.mailfrom|header.d)=[\w.]+/g, `$1=${other}`),
      ),
    ).kind;
  expect(moved("bounce.broker.example", FROM)).toBe("verified");
  expect(moved("broker.example", "desk@mail.broker.example")).toBe("verified");
});

it("a verdict that passes although neither SPF nor DKIM did does not authenticate", () => {
  const failed = judge((results) => results.replaceAll(/(spf|dkim)=pass/g, "$1=fail"));
  expect(failed).toMatchObject({ why: expect.stringMatching(/neither SPF nor DKIM/) });
});

it("mail is not authenticated if the verdict is about another sender", () => {
  expect(judge((results) => results, "desk@bank.example").kind).toBe("none");
});

it("mail from outside is its author's, whom DMARC verifies, whoever else its Sender header names", () => {
  const sentFor = (from: string, sender: string, about = from) =>
    authenticate(from, { ...genuine(about), sender } as SenderEvidence);
  expect(sentFor(FROM, "agent@mailer.example")).toEqual({ kind: "verified" });
  expect(sentFor(FROM, "agent@mailer.example", "agent@mailer.example")).toEqual({
    ...{ kind: "none", why: "the verdict is not about broker.example" },
  });
});

it("only the topmost verdict counts, whatever is below it", () => {
  const [fail, pass] = ["compauth=fail reason=000", "compauth=pass reason=100"].map((verdict) => ({
    name: "authentication-RESULTS",
    value: `spf=pass smtp.mailfrom=broker.example; dmarc=pass header.from=broker.example;${verdict}`,
  }));
  expect(authenticate(FROM, evidenceOfMail([pass!, fail!], FROM)).kind).toBe("verified");
  expect(authenticate(FROM, evidenceOfMail([fail!, pass!], FROM)).kind).toBe("none");
  const arc = { name: "ARC-Authentication-Results", value: pass!.value };
  expect(authenticate(FROM, evidenceOfMail([arc], FROM)).kind).toBe("none");
});

it.each([
  [true, "Auto-Submitted", "auto-generated"],
  [true, "auto-submitted", "auto-replied; owner-email=nina@firm.example"],
  [true, "X-MS-Exchange-Inbox-Rules-Loop", "nina@firm.example"],
  [true, "X-MS-Exchange-Generated-Message-Source", "Mailbox Rules Agent"],
  [true, "X-MS-Exchange-Organization-AutoForwarded", "true"],
  [false, "Auto-Submitted", "no"],
  [false, "Auto-Submitted", " No; by=hand"],
  [false, "X-Mailer", "auto-generated"],
])("that a rule or a program sent it is %s with %s: %s", (isAutomatic, name, value) => {
  expect(evidenceOfMail([{ name, value }], FROM)).toMatchObject({ isAutomatic });
});

it("Exchange's mark makes a mail internal, unless a second one contradicts it or somebody else sent it", () => {
  const bare = { authenticationResults: null };
  expect(authenticate(FROM, mail({ ...bare, authAs: ["Internal"] })).kind).toBe("internal");
  expect(authenticate(FROM, mail({ ...bare, authAs: ["Internal", "Anonymous"] })).kind).toBe(
    "none",
  );
  expect(authenticate(FROM, mail({ ...bare, authAs: ["Anonymous"] })).kind).toBe("none");
  expect(authenticate(FROM, mail({ ...bare, authAs: [] })).kind).toBe("none");
  const unnamed = mail({ ...bare, authAs: ["Internal"], sender: null });
  expect(authenticate(FROM, unnamed).kind).toBe("internal");
  const onBehalf = mail({ ...bare, authAs: ["Internal"], sender: "other@broker.example" });
  expect(authenticate(FROM, onBehalf)).toMatchObject({
    why: "other@broker.example sent it on behalf of desk@broker.example",
  });
});

it.each([
  ["compauth=fail", "compauth=fail reason=000"],
  ["compauth=none", "compauth=none reason=300"],
  ["dmarc=fail", "dmarc=fail action=none header.from=broker.example"],
])("a mark for internal mail proves nothing beside a verdict with %s", (denied, verdict) => {
  const marked = { authenticationResults: `spf=pass smtp.mailfrom=x.example; ${verdict}` };
  expect(authenticate(FROM, mail({ ...marked, authAs: ["Internal"] }))).toMatchObject({
    kind: "none",
    why: expect.stringContaining(denied),
  });
});

it("mail inside the organization is internal although it has no signature", () => {
  const authenticationResults =
    "spf=fail smtp.mailfrom=broker.example;dkim=none (message not signed) header.d=none;dmarc=none action=none header.from=broker.example;";
  expect(authenticate(FROM, mail({ authenticationResults, authAs: ["Internal"] })).kind).toBe(
    "internal",
  );
});

it("a document without sender evidence is not authenticated; a file is vouched for by the person or program that put it here", () => {
  expect(authenticate(FROM, null).kind).toBe("none");
  expect(authenticate(FROM, { kind: "upload", isOwn: false }).kind).toBe("vouched");
  expect(authenticate(FROM, { kind: "folder" }).kind).toBe("vouched");
});
