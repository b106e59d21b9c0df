import { beforeAll, describe, expect, it } from "vitest";
import type { SenderEvidence } from "../../src/ingestion/sender-evidence.ts";
import type { Database } from "../../src/store/database.ts";
import { approveAndConfirm } from "../../src/trades/answers/approve-and-confirm.ts";
import { findLinks } from "../../src/trades/document-link-table.ts";
import { putOrder } from "../../src/trades/orders/order-table.ts";
import { replacePeople } from "../../src/trades/senders/person-table.ts";
import {
  approveSender,
  findApprovedSenders,
  revokeSender,
} from "../../src/trades/senders/sender-table.ts";
import { findTrades, getTrade } from "../../src/trades/trade-table.ts";
import { freshDatabase } from "../helpers/database.ts";
import { anOrder, type Delivery, deliver, genuine } from "./scene.ts";

const BROKER = "desk@broker.example";
/** What an inbox rule sends in the name of the mailbox's owner. */
const byRule = (sender: string): SenderEvidence =>
  ({ ...genuine(sender), isAutomatic: true }) as SenderEvidence;
const FORGED = genuine(BROKER, (results) => results.replace("compauth=pass", "compauth=fail"));
let notes = 0;
const note = (facts: object = {}) => [
  { reference: `T-${++notes}`, account: `A${notes}`, ...facts },
];

async function outcomeOf(database: Database, delivery: Partial<Delivery> = {}) {
  const [line] = await deliver(database, { lines: note(), sender: BROKER, ...delivery });
  return { outcome: line!.outcome, reasons: line!.questions[0]?.reasons ?? [] };
}

describe("a note is booked without a person", () => {
  let database: Database;
  beforeAll(async () => {
    database = await freshDatabase();
    await putOrder(database, anOrder());
    const person = { email: "me@home.example", name: "Nina Berg", username: "nina" };
    await database.transaction((tx) =>
      replacePeople(tx, "import", [{ ...person, accounts: ["77-1"] }]),
    );
    await approveSender(database, { pattern: BROKER, by: "vera", until: null });
    await approveSender(database, { pattern: "@bank.example", by: "vera", until: "2026-02-10" });
    await approveSender(database, { pattern: "@past.example", by: "vera", until: "2026-02-09" });
  });

  it("if its sender is authenticated and approved and its holder or account is known", async () => {
    expect(await outcomeOf(database)).toMatchObject({ outcome: "confirmed" });
    expect(await outcomeOf(database, { sender: "any.one@BANK.example" })).toMatchObject({
      outcome: "confirmed",
    });
    const byAccount = note({ holder: "N. Berg-Haddad", account: "771" });
    expect(await outcomeOf(database, { lines: byAccount })).toMatchObject({ outcome: "confirmed" });
  });

  it.each<[string, Partial<Delivery>, RegExp]>([
    ["its sender is not authenticated", { evidence: FORGED }, /^sender not authenticated/],
    ["nothing is known about its sender", { evidence: null }, /^sender not authenticated/],
    [
      "nothing is known about how a known person sent it",
      { sender: "me@home.example", evidence: null },
      /^sender not authenticated/,
    ],
    ["nobody approved its sender", { sender: "mallory@evil.example" }, /^sender not approved/],
    ["only another address of the domain is approved", { sender: `x${BROKER}` }, /not approved/],
    ["a subdomain's mother is approved", { sender: "a@sub.bank.example" }, /not approved/],
    ["the approval is over", { sender: "a@past.example" }, /^sender not approved/],
    ["its holder is unknown", { lines: note({ holder: "Eve Stranger" }) }, /^whose trade it is/],
    [
      "its holder is unknown, and the broker's program, which is certain, sent it",
      { evidence: byRule(BROKER), lines: note({ holder: "Eve Stranger" }) },
      /^whose trade it is.*desk@broker\.example is not a known person/,
    ],
    ["it names no holder", { lines: note({ holder: null, account: "771" }) }, /^whose trade it is/],
    ["a broker forwards it", { foundIn: "attached mail" }, /^forwarded by desk@broker.example/],
    [
      "it is marked internal, but comes from nobody of the firm",
      { evidence: { ...genuine(BROKER), authAs: ["Internal"] } as SenderEvidence },
      /^sender not authenticated: marked as internal/,
    ],
    [
      "a known person's address is forged",
      {
        sender: "me@home.example",
        evidence: genuine("me@home.example", (text) =>
          text.replace("compauth=pass", "compauth=fail"),
        ),
      },
      /^sender not authenticated/,
    ],
    [
      "a program of the firm sends it",
      { sender: "scan@firm.example", evidence: byRule("scan@firm.example") },
      /^sender not approved: scan@firm.example$/,
    ],
    [
      "a known person's rule forwards it, for a holder whom we know",
      {
        sender: "me@home.example",
        evidence: byRule("me@home.example"),
        lines: note({ holder: "Laura de Burna" }),
      },
      /^me@home.example did not send it themselves: a rule or a program did$/,
    ],
  ])("not if %s; the question names what is missing, and nothing else", async (_, sent, reason) => {
    const { outcome, reasons } = await outcomeOf(database, sent);
    expect(outcome).toBe("review");
    expect(reasons).toEqual([expect.stringMatching(reason)]);
  });

  it("as the trade of an authenticated known person, whoever the holder, also if they forward it [X-02]", async () => {
    const sender = "me@home.example";
    for (const sent of [{}, { foundIn: "attached mail" }, { lines: note({ holder: null }) }]) {
      const [line] = await deliver(database, { lines: note(), sender, ...sent });
      expect(line!.outcome).toBe("confirmed");
      expect(await getTrade(database, line!.tradeId!)).toMatchObject({ username: "nina" });
    }
  });

  it("never by the address alone if a rule or a program sent it for one of our people", async () => {
    const sender = "me@home.example";
    await approveSender(database, { pattern: sender, by: "vera", until: null });
    const lines = note({ holder: null });
    const forwarded = await outcomeOf(database, { sender, evidence: byRule(sender), lines });
    expect(forwarded.reasons).toEqual([
      expect.stringMatching(/^me@home.example did not send it themselves/),
      expect.stringMatching(/^whose trade it is/),
    ]);
    await revokeSender(database, sender);
  });

  it("as its holder's if a program of an approved sender sent it, as brokers' programs do", async () => {
    expect(await outcomeOf(database, { evidence: byRule(BROKER) })).toMatchObject({
      outcome: "confirmed",
    });
    const sender = "scan@firm.example";
    await approveSender(database, { pattern: sender, by: "vera", until: null });
    const [line] = await deliver(database, { lines: note(), sender, evidence: byRule(sender) });
    expect(await getTrade(database, line!.tradeId!)).toMatchObject({ username: "ldeburna" });
    await revokeSender(database, sender);
  });

  it("if a person uploads it for themselves, or an operator for a known holder", async () => {
    const sender = "stranger@home.example";
    const own = { sender, evidence: { kind: "upload", isOwn: true } as const };
    expect(await outcomeOf(database, { ...own, lines: note({ holder: null }) })).toMatchObject({
      outcome: "confirmed",
    });
    const other = { sender, evidence: { kind: "upload", isOwn: false } as const };
    expect(await outcomeOf(database, other)).toMatchObject({ outcome: "confirmed" });
    const nobodys = await outcomeOf(database, { ...other, lines: note({ holder: null }) });
    expect(nobodys.reasons).toEqual([expect.stringMatching(/^whose trade it is/)]);
  });

  it("from a watched folder only if the sender is approved", async () => {
    const folder = { evidence: { kind: "folder" } as const };
    expect(await outcomeOf(database, folder)).toMatchObject({ outcome: "confirmed" });
    const stranger = await outcomeOf(database, { ...folder, sender: "mallory@evil.example" });
    expect(stranger.reasons).toEqual(["sender not approved: mallory@evil.example"]);
  });

  it("once: a copy is linked to its trade, but one that may be forged is a question [R27]", async () => {
    const lines = note();
    const [first] = await deliver(database, { lines, sender: BROKER });
    for (const sender of [BROKER, "somebody@home.example"]) {
      const again = await deliver(database, { lines, sender });
      expect(again).toMatchObject([{ outcome: "same", tradeId: first!.tradeId }]);
    }
    const { outcome, reasons } = await outcomeOf(database, { lines, evidence: FORGED });
    expect([outcome, reasons]).toEqual([
      "review",
      [
        expect.stringContaining(first!.tradeId!),
        expect.stringMatching(/^sender not authenticated/),
      ],
    ]);
    expect(await findLinks(database, first!.tradeId!)).toHaveLength(3);
  });

  it("no longer after its sender was revoked", async () => {
    await approveSender(database, { pattern: "a@gone.example", by: "vera", until: null });
    expect(await outcomeOf(database, { sender: "a@gone.example" })).toMatchObject({
      outcome: "confirmed",
    });
    expect(await revokeSender(database, "a@gone.example")).toBe(true);
    expect(await outcomeOf(database, { sender: "a@gone.example" })).toMatchObject({
      outcome: "review",
    });
  });
});

describe("a note that changes a booked trade", () => {
  const amendment = (facts: object = {}) => ({
    reference: "CN-1002",
    refersTo: "CN-1001",
    isAmendment: true,
    price: 180.4,
    gross: 18_040,
    net: 18_049.95,
    ...facts,
  });
  async function booked() {
    const database = await freshDatabase();
    await putOrder(database, anOrder());
    for (const pattern of [BROKER, "@bank.example"])
      await approveSender(database, { pattern, by: "vera", until: null });
    const [line] = await deliver(database, { lines: [{}], sender: BROKER });
    return { database, tradeId: line!.tradeId! };
  }

  it("amends it if the same sender reports it in the same account [R29]", async () => {
    const { database, tradeId } = await booked();
    expect(await outcomeOf(database, { lines: [amendment()] })).toMatchObject({
      outcome: "amends",
    });
    expect(await getTrade(database, tradeId)).toMatchObject({ status: "amended" });
  });

  it.each<[string, Partial<Delivery>, RegExp]>([
    ["another approved sender", { sender: "a@bank.example" }, /changes a trade that desk@/],
    [
      "another account",
      { lines: [amendment({ account: "999" })] },
      /is in account 1234567, not 999/,
    ],
    ["no account", { lines: [amendment({ account: null })] }, /not unknown/],
    ["a forged sender", { evidence: FORGED }, /not authenticated/],
  ])("is a question if it comes from %s", async (_, sent, reason) => {
    const { database, tradeId } = await booked();
    const { outcome, reasons } = await outcomeOf(database, { lines: [amendment()], ...sent });
    expect(outcome).toBe("review");
    expect(reasons).toEqual([expect.stringMatching(reason)]);
    expect(await getTrade(database, tradeId)).toMatchObject({ status: "confirmed" });
  });

  it("is a question if it is a cancellation, whoever sends it, and says who reported the trade", async () => {
    const { database, tradeId } = await booked();
    const lines = [{ isCancelled: true, refersTo: "CN-1001", reference: "X-1" }];
    expect((await outcomeOf(database, { lines })).reasons).toHaveLength(1);
    const other = await outcomeOf(database, { lines, sender: "a@bank.example" });
    expect(other.reasons[1]).toBe(
      "a@bank.example changes a trade that desk@broker.example reported",
    );
    expect(await getTrade(database, tradeId)).toMatchObject({ status: "confirmed" });
  });
});

describe("the question about a sender who is seen for the first time", () => {
  const vera = { actor: "vera", firmDomains: ["firm.example"], today: "2026-02-10" };
  const ask = async (evidence?: SenderEvidence, facts: object = {}) => {
    const database = await freshDatabase();
    await putOrder(database, anOrder());
    const sent = { lines: note(facts), sender: BROKER, ...(evidence ? { evidence } : {}) };
    const [line] = await deliver(database, sent);
    const answer = await database.transaction((tx) =>
      approveAndConfirm(tx, vera, {
        ...{ lineId: line!.lineId, reasons: line!.questions[0]!.reasons, until: "2026-12-31" },
      }),
    );
    return { database, answer };
  };

  it("is answered once: the sender is approved, the note booked, and the next one needs no question", async () => {
    const { database, answer } = await ask();
    expect(answer.kind).toBe("done");
    expect(await findTrades(database, { status: "confirmed" })).toHaveLength(1);
    expect(await findApprovedSenders(database)).toMatchObject([
      { pattern: BROKER, approvedBy: "vera", until: "2026-12-31" },
    ]);
    expect(await outcomeOf(database)).toMatchObject({ outcome: "confirmed" });
  });

  it("approves nobody by a forged mail", async () => {
    const { database, answer } = await ask(FORGED);
    expect(answer.kind).toBe("refused");
    expect(await findApprovedSenders(database)).toEqual([]);
    expect(await findTrades(database)).toEqual([]);
  });

  it("approves no address outside a domain of the internet", async () => {
    const database = await freshDatabase();
    await putOrder(database, anOrder());
    const [line] = await deliver(database, { lines: note(), sender: "desk@localhost" });
    const { reasons } = line!.questions[0]!;
    const answer = await database.transaction((tx) =>
      approveAndConfirm(tx, vera, { lineId: line!.lineId, reasons, until: null }),
    );
    expect(answer).toMatchObject({ kind: "refused", why: expect.stringMatching(/neither an/) });
    expect(await findApprovedSenders(database)).toEqual([]);
  });

  it("is all that the answer settles: what else is asked stays open, and nothing is booked", async () => {
    const { database, answer } = await ask(undefined, { quantity: null });
    expect(answer).toMatchObject({
      kind: "refused",
      why: `${BROKER} is approved, but the note also asks: missing: quantity`,
    });
    expect(await findApprovedSenders(database)).toMatchObject([{ pattern: BROKER }]);
    expect(await findTrades(database)).toEqual([]);
  });
});
