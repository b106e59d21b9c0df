import { describe, expect, it } from "vitest";
import { genuine } from "../../../test/trades/scene.ts";
import type { SenderEvidence } from "../../ingestion/sender-evidence.ts";
import { type SenderToTrust, trustSender } from "./trust-sender.ts";

const BROKER = "desk@broker.example";
const NINA = "nina@home.example";

interface Given extends Partial<Omit<SenderToTrust, "document">> {
  readonly sender?: string;
  readonly evidence?: SenderEvidence | null;
  readonly foundIn?: string;
}
const trust = ({ sender = BROKER, evidence, foundIn = "attachment", ...more }: Given = {}) =>
  trustSender({
    document: {
      ...{ senderEmail: sender, foundIn },
      senderEvidence: evidence === undefined ? genuine(sender) : evidence,
    },
    people: [
      { username: "jsmith", email: null, name: "John Smith", accounts: [] },
      { username: "nina", email: NINA, name: "Nina Berg", accounts: [] },
    ],
    approvals: [],
    firmDomains: ["Firm.example"],
    today: "2026-02-10",
    ...more,
  });
const missing = (given: Given) => trust(given).missing;
const approved = (pattern: string) => ({
  approvals: [{ pattern, approvedBy: "vera", approvedAt: new Date(0), until: null }],
});
const byRule = (sender: string) => ({ ...genuine(sender), isAutomatic: true }) as SenderEvidence;
const internal = (sender: string) =>
  ({
    ...{ kind: "mail", authenticationResults: null, authAs: ["Internal"], sender },
  }) as SenderEvidence;

describe("a document needs no look at its sender", () => {
  it("if the sender is approved, or is one of our people", () => {
    expect(trust(approved(BROKER))).toEqual({
      ...{ isAuthenticated: true, mayNameTrader: true, missing: [] },
    });
    expect(missing({ sender: "Nina@HOME.example" })).toEqual([]);
    expect(missing({ sender: "new@firm.example" })).toEqual([]);
  });

  it("if somebody who signed in uploaded it, for themselves or for another", () => {
    for (const isOwn of [true, false])
      expect(missing({ evidence: { kind: "upload", isOwn } })).toEqual([]);
  });

  it("if one of our people forwards it, but not if an approved sender does", () => {
    const foundIn = "attached mail";
    for (const sender of [NINA, "new@firm.example"])
      expect(missing({ sender, foundIn })).toEqual([]);
    expect(missing({ foundIn, ...approved(BROKER) })).toEqual([
      `forwarded by ${BROKER}, who is not a known person`,
    ]);
  });

  it("if somebody of ours uploads a mail that they were forwarded, but not if they upload it for another", () => {
    const foundIn = "attached mail";
    expect(missing({ foundIn, evidence: { kind: "upload", isOwn: true } })).toEqual([]);
    expect(missing({ foundIn, evidence: { kind: "upload", isOwn: false } })).toEqual([
      `forwarded by ${BROKER}, who is not a known person`,
    ]);
  });
});

describe("a person must look", () => {
  it("at a stranger, also one whose file lies in the watched folder", () => {
    for (const evidence of [genuine(BROKER), { kind: "folder" } as const])
      expect(missing({ evidence })).toEqual([`sender not approved: ${BROKER}`]);
  });

  it("at a stranger whose mail names an approved sender in its Sender header", () => {
    const sender = "mallory@evil.example";
    const evidence = { ...genuine(sender), sender: BROKER } as SenderEvidence;
    expect(missing({ sender, evidence, ...approved(BROKER) })).toEqual([
      `sender not approved: ${sender}`,
    ]);
  });

  it("at a mail that is not authenticated, whoever is approved", () => {
    const { isAuthenticated, mayNameTrader, missing } = trust({
      ...{ evidence: null, ...approved(BROKER) },
    });
    expect([isAuthenticated, mayNameTrader]).toEqual([false, false]);
    expect(missing).toEqual([expect.stringMatching(/^sender not authenticated: /)]);
  });

  it("at what a rule sends for one of our people, even if their address is approved", () => {
    for (const more of [{}, approved(NINA)]) {
      const judged = trust({ sender: NINA, evidence: byRule(NINA), ...more });
      expect(judged).toEqual({
        ...{ isAuthenticated: true, mayNameTrader: false },
        missing: [`${NINA} did not send it themselves: a rule or a program did`],
      });
    }
  });

  it("at what a program of the firm sends, until its address is approved", () => {
    const scanner = "scan@firm.example";
    const sent = { sender: scanner, evidence: byRule(scanner) };
    expect(missing(sent)).toEqual([`sender not approved: ${scanner}`]);
    expect(trust({ ...sent, ...approved(scanner) })).toMatchObject({
      ...{ mayNameTrader: false, missing: [] },
    });
  });

  it("at what a rule of one of our people forwards with a mail in it", () => {
    const forwarded = { sender: NINA, evidence: byRule(NINA), foundIn: "attached mail" };
    expect(missing(forwarded)).toContain(`forwarded by ${NINA}, who is not a known person`);
  });
});

describe("a program", () => {
  it("of an approved broker may send, and its address decides like any other", () => {
    expect(trust({ evidence: byRule(BROKER), ...approved(BROKER) })).toMatchObject({
      ...{ mayNameTrader: true, missing: [] },
    });
  });
});

describe("Exchange's mark for mail inside the organization", () => {
  it("is believed of our own people only", () => {
    for (const sender of [NINA, "new@firm.example"])
      expect(trust({ sender, evidence: internal(sender) }).isAuthenticated).toBe(true);
    expect(trust({ evidence: internal(BROKER), ...approved(BROKER) })).toMatchObject({
      isAuthenticated: false,
      missing: [
        `sender not authenticated: marked as internal, but ${BROKER} is not one of our people`,
      ],
    });
  });
});
