import { describe, expect, it } from "vitest";
import { findDecisions } from "../../src/trades/decision-table.ts";
import { findLinks } from "../../src/trades/document-link-table.ts";
import { putOrder } from "../../src/trades/orders/order-table.ts";
import { findTrades, getTrade } from "../../src/trades/trade-table.ts";
import { freshDatabase } from "../helpers/database.ts";
import { anOrder, deliver } from "./scene.ts";

const noReference = { reference: null };

describe("a note that comes again", () => {
  it("resent, forwarded and listed in a statement is one trade with three documents [TRD-03] [X-01] [X-07] [R27]", async () => {
    const database = await freshDatabase();
    const [first] = await deliver(database, { lines: [{}], words: "note" });
    const [resent] = await deliver(database, { lines: [{}], words: "note" });
    const [forwarded] = await deliver(database, {
      lines: [{}],
      words: "note",
      sender: "me@home.example",
    });
    const [listed] = await deliver(database, {
      lines: [{ ...noReference, account: null, isin: null }],
      kind: "statement",
    });
    expect(first).toMatchObject({ outcome: "confirmed" });
    for (const again of [resent, forwarded, listed]) {
      expect(again).toMatchObject({ outcome: "same", tradeId: first!.tradeId, questions: [] });
    }
    expect(await findTrades(database)).toHaveLength(1);
    const links = await findLinks(database, first!.tradeId!);
    expect(links).toHaveLength(4);
    expect(links.filter((link) => link.isPrimary)).toHaveLength(1);
  });

  it("without any reference is recognised by its words, and becomes a question if the words differ [TRD-03] [X-01]", async () => {
    const database = await freshDatabase();
    const [first] = await deliver(database, { lines: [noReference], words: "note" });
    const [copy] = await deliver(database, { lines: [noReference], words: "note" });
    const [other] = await deliver(database, { lines: [noReference], words: "another note" });
    expect(copy).toMatchObject({ outcome: "same", tradeId: first!.tradeId });
    expect(other).toMatchObject({ outcome: "review" });
    expect(other!.questions[0]!.reasons[0]).toMatch(/same trade, or a second fill/);
    expect(await findTrades(database)).toHaveLength(1);
  });

  it("a low confidence does not turn a repeat into a question [TRD-03]", async () => {
    const database = await freshDatabase();
    await deliver(database, { lines: [{}] });
    const [again] = await deliver(database, { lines: [{ confidence: 0.2 }] });
    expect(again).toMatchObject({ outcome: "same", questions: [] });
  });
});

describe("a trade that is booked without a person", () => {
  it("is marked for audit if the confidence is low or the reader is not sure, and says why it was booked [X-02]", async () => {
    const database = await freshDatabase();
    const booked = async (line: object) => {
      const [routed] = await deliver(database, { lines: [line] });
      const { tradeId } = routed!;
      const [decision] = await findDecisions(database, { tradeId: tradeId! });
      const { needsAudit } = (await getTrade(database, tradeId!))!;
      return { needsAudit, explanation: decision!.explanation };
    };
    expect(await booked({ reference: "A" })).toEqual({
      needsAudit: false,
      explanation: ["confidence 0.95", "no such trade is known", expect.any(String)],
    });
    expect(await booked({ reference: "B", confidence: 0.6 })).toMatchObject({ needsAudit: true });
    expect(await booked({ reference: "C", isSure: false })).toMatchObject({ needsAudit: true });
  });
});

describe("a document that does not say whose trade it is", () => {
  it("becomes a question if a stranger sent it, with a reason that says so [X-02] [X-06]", async () => {
    const database = await freshDatabase();
    const line = { holder: null, account: null };
    const sent = { lines: [line], sender: "notes@broker.example" };
    const [asked] = await deliver(database, sent);
    expect(asked!.questions[0]!.reasons).toEqual([
      "sender not approved: notes@broker.example",
      "whose trade it is: notes@broker.example is not a known person, and the document names no holder (score 0.00)",
    ]);
    const [known] = await deliver(database, { lines: [line], sender: "ldeburna@firm.example" });
    expect(known).toMatchObject({ outcome: "confirmed" });
  });
});

describe("two genuine fills of the same size and price", () => {
  it("in one document are two trades, and the document again changes nothing [TRD-03] [R28]", async () => {
    const database = await freshDatabase();
    const lines = [noReference, noReference];
    const first = await deliver(database, { lines, words: "two fills" });
    const again = await deliver(database, { lines, words: "two fills" });
    expect(first.map((line) => line.outcome)).toEqual(["confirmed", "confirmed"]);
    expect(again.map((line) => line.outcome)).toEqual(["same", "same"]);
    expect(again.map((line) => line.tradeId)).toEqual(first.map((line) => line.tradeId));
    expect(new Set((await findTrades(database)).map((trade) => trade.fingerprint)).size).toBe(2);
  });

  it("under one order number in one document are two trades [R28]", async () => {
    const database = await freshDatabase();
    const lines = await deliver(database, { lines: [{}, {}] });
    expect(lines.map((line) => line.outcome)).toEqual(["confirmed", "confirmed"]);
  });

  it("in two notes are distinguished by reference or by time [X-01] [R28]", async () => {
    const database = await freshDatabase();
    await deliver(database, { lines: [{ reference: "CN-1" }] });
    await deliver(database, { lines: [{ reference: "CN-2" }] });
    await deliver(database, { lines: [{ ...noReference, tradeTime: "10:01:07", price: 180 }] });
    await deliver(database, { lines: [{ ...noReference, tradeTime: "10:02:07", price: 180 }] });
    expect(await findTrades(database)).toHaveLength(4);
  });

  it("are both found again in the month's statement, which adds no trade [R27] [R28]", async () => {
    const database = await freshDatabase();
    await deliver(database, { lines: [{ reference: "CN-1" }] });
    await deliver(database, { lines: [{ reference: "CN-2" }] });
    const statement = await deliver(database, {
      kind: "statement",
      lines: [noReference, noReference, { ...noReference, quantity: 5, net: 912, gross: 902.5 }],
    });
    expect(statement.map((line) => line.outcome)).toEqual(["same", "same", "confirmed"]);
    expect(statement[0]!.tradeId).not.toBe(statement[1]!.tradeId);
  });

  it("a reference of another kind of document does not decide; a person does", async () => {
    const database = await freshDatabase();
    await deliver(database, { lines: [{ reference: "CN-1" }] });
    const [line] = await deliver(database, { kind: "statement", lines: [{ reference: "ORD-9" }] });
    expect(line).toMatchObject({ outcome: "review" });
  });
});

describe("corrections", () => {
  it("an amendment replaces the trade that it names and takes over its order [R29]", async () => {
    const database = await freshDatabase();
    await putOrder(database, anOrder());
    const [first] = await deliver(database, { lines: [{}] });
    const [second] = await deliver(database, {
      lines: [
        {
          reference: "CN-1002",
          refersTo: "CN-1001",
          isAmendment: true,
          price: 180.4,
          gross: 18_040,
          net: 18_049.95,
        },
      ],
    });
    expect(second).toMatchObject({ outcome: "amends" });
    expect(await getTrade(database, first!.tradeId!)).toMatchObject({
      status: "amended",
      orderId: null,
    });
    expect(await getTrade(database, second!.tradeId!)).toMatchObject({
      status: "confirmed",
      correctsId: first!.tradeId,
      orderState: "linked",
    });
    const [again] = await deliver(database, {
      lines: [
        {
          reference: "CN-1002",
          refersTo: "CN-1001",
          isAmendment: true,
          price: 180.4,
          gross: 18_040,
          net: 18_049.95,
        },
      ],
    });
    expect(again).toMatchObject({ outcome: "same", tradeId: second!.tradeId });
  });

  it("a note that prints another trade's reference amends it only if security and direction agree [R29]", async () => {
    const database = await freshDatabase();
    const [first] = await deliver(database, { lines: [{}] });
    const mentions = ["CN1001"];
    for (const facts of [
      { reference: "CN-1002", direction: "SELL" },
      { reference: "CN-1003", isin: "US5949181045", ticker: "MSFT" },
    ] as const) {
      const other = await deliver(database, { lines: [facts], mentions });
      expect(other).toMatchObject([{ outcome: "confirmed" }]);
    }
    const own = { quantity: 90, gross: 16_245, net: 16_254.95 };
    expect(await deliver(database, { lines: [own], mentions })).toMatchObject([
      { outcome: "review" },
    ]);
    const lines = [{ reference: null, price: 180.4, gross: 18_040, net: 18_049.95 }];
    expect(await deliver(database, { lines, mentions })).toMatchObject([{ outcome: "amends" }]);
    expect(await getTrade(database, first!.tradeId!)).toMatchObject({ status: "amended" });
  });

  it("an amendment of a trade whose account is unknown becomes a question [R29]", async () => {
    const database = await freshDatabase();
    await deliver(database, { lines: [{ account: null }] });
    const amends = { reference: "CN-1002", refersTo: "CN-1001", isAmendment: true, price: 180.4 };
    const [line] = await deliver(database, { lines: [{ ...amends, gross: 18_040, net: 18_050 }] });
    expect(line!.questions[0]!.reasons).toEqual([
      "the trade that it changes is in account unknown, not 1234567",
    ]);
  });

  it("a cancellation is put to a person with the trade it names [X-02] [R29]", async () => {
    const database = await freshDatabase();
    const [first] = await deliver(database, { lines: [{}] });
    const [cancel] = await deliver(database, {
      lines: [{ isCancelled: true, refersTo: "CN-1001", reference: "CN-7" }],
    });
    expect(cancel).toMatchObject({ outcome: "review" });
    expect(cancel!.questions[0]!.reasons[0]).toContain(first!.tradeId);
    expect(await getTrade(database, first!.tradeId!)).toMatchObject({ status: "confirmed" });
  });

  it("a correction of an unknown trade becomes a question [R29]", async () => {
    const database = await freshDatabase();
    for (const facts of [
      { isCancelled: true, refersTo: "CN-9", reference: null },
      { isAmendment: true, refersTo: "CN-9", reference: null },
    ]) {
      const [line] = await deliver(database, { lines: [facts] });
      expect(line!.questions[0]!.reasons[0]).toMatch(
        /the trade (that it replaces|with reference .+, which it cancels,) is not known/,
      );
    }
  });

  it("a known reference with other figures becomes a question and is not merged [X-01]", async () => {
    const database = await freshDatabase();
    await deliver(database, { lines: [{}] });
    const [line] = await deliver(database, {
      lines: [{ quantity: 90, gross: 16_245, net: 16_254.95 }],
    });
    expect(line!.questions[0]!.reasons).toEqual(["reference CN-1001 is booked with other figures"]);
    const [doubted] = await deliver(database, { lines: [{ quantity: 91, net: null }] });
    expect(doubted!.questions[0]!.reasons).toEqual([
      "reference CN-1001 is booked with other figures",
      expect.stringMatching(/^proceeds 18050.00 do not fit/),
    ]);
  });
});

describe("the trade key", () => {
  it("is user, date, security, direction and quantity [TRD-06] [TRD-07]", async () => {
    const database = await freshDatabase();
    await deliver(database, { lines: [{}] });
    const [trade] = await findTrades(database);
    expect(trade!.tradeKey).toBe("ldeburna-20260204-AAPL-BUY-100");
    expect(trade!.username).toBe("ldeburna");
  });
});

describe("orders", () => {
  it("the only order that passes all gates is linked, and the matrix is kept [TRD-05] [X-06]", async () => {
    const database = await freshDatabase();
    const { order } = await putOrder(database, anOrder());
    await putOrder(database, anOrder({ reference: "O-2", direction: "SELL" }));
    await putOrder(database, anOrder({ reference: "O-3", ticker: "MSFT" }));
    await putOrder(database, anOrder({ reference: "O-4", quantity: 50 }));
    await putOrder(database, anOrder({ reference: "O-5", username: "other" }));
    const [line] = await deliver(database, { lines: [{}] });
    const trade = await getTrade(database, line!.tradeId!);
    expect(trade).toMatchObject({ orderState: "linked", orderId: order.id });
    expect(trade!.matchMatrix.map(({ reference, failed }) => [reference, failed])).toEqual([
      ["O-1", null],
      ["O-2", "direction"],
      ["O-3", "security"],
      ["O-4", "economics"],
    ]);
    const decisions = await findDecisions(database, { tradeId: trade!.id });
    expect(decisions.map((decision) => decision.kind)).toEqual(["confirm", "link"]);
  });

  it("if no order or several orders fit, the trade is booked and a question lists all reasons [TRD-05] [X-06]", async () => {
    const database = await freshDatabase();
    await putOrder(database, anOrder({ limitPrice: 100 }));
    const [none] = await deliver(database, { lines: [{ reference: "A" }] });
    expect(none).toMatchObject({ outcome: "confirmed" });
    expect(none!.questions).toMatchObject([{ subject: "order", tradeId: none!.tradeId }]);
    expect(none!.questions[0]!.reasons.join()).toMatch(/no order fits.*O-1 fails at economics/);
    await putOrder(database, anOrder({ reference: "O-2" }));
    await putOrder(database, anOrder({ reference: "O-3" }));
    const [several] = await deliver(database, { lines: [{ reference: "B" }] });
    expect(several!.questions[0]!.reasons[0]).toBe("several orders fit");
    expect(await getTrade(database, several!.tradeId!)).toMatchObject({
      orderState: "in-review",
      orderId: null,
    });
  });

  it("an order is executed by one trade only [X-06]", async () => {
    const database = await freshDatabase();
    await putOrder(database, anOrder());
    await deliver(database, { lines: [{ reference: "A" }] });
    const [second] = await deliver(database, { lines: [{ reference: "B" }] });
    expect(second!.questions[0]!.reasons).toEqual(["ldeburna has no open order"]);
  });

  it("if no orders are kept, nobody is asked for one [TRD-05]", async () => {
    const database = await freshDatabase();
    const [line] = await deliver(database, { lines: [{}] });
    expect(line!.questions).toEqual([]);
    expect(await getTrade(database, line!.tradeId!)).toMatchObject({ orderState: "no-orders" });
  });
});

describe("routing twice", () => {
  it("two copies at the same moment become one trade [TRD-09] [R27]", async () => {
    const database = await freshDatabase();
    const copies = Array.from({ length: 8 }, () =>
      deliver(database, { lines: [{}], words: "copy" }),
    );
    const outcomes = (await Promise.all(copies)).map(([line]) => line!.outcome).sort();
    expect(outcomes).toEqual(["confirmed", ...Array(7).fill("same")]);
  });
});
