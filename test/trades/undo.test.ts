import { describe, expect, it } from "vitest";
import { getDocument } from "../../src/ingestion/document-table.ts";
import type { Database } from "../../src/store/database.ts";
import {
  confirmTradeLine,
  linkTradeLine,
  rejectTradeLine,
} from "../../src/trades/answers/confirm-trade-line.ts";
import { rejectDocument } from "../../src/trades/answers/reject-document.ts";
import { undoDecision } from "../../src/trades/answers/undo-decision.ts";
import { type Decision, findDecisions } from "../../src/trades/decision-table.ts";
import { answerOrder } from "../../src/trades/orders/link-order.ts";
import { getOrder, putOrder } from "../../src/trades/orders/order-table.ts";
import { getTradeLine } from "../../src/trades/trade-line-table.ts";
import { findTrades, getTrade } from "../../src/trades/trade-table.ts";
import { freshDatabase } from "../helpers/database.ts";
import { anOrder, deliver } from "./scene.ts";

const vera = { actor: "vera", firmDomains: ["firm.example"], today: "2026-02-10" };

const undo = (database: Database, decisionId: number, asksAgain = false) =>
  database.transaction((tx) => undoDecision(tx, vera, { decisionId, reason: "wrong", asksAgain }));

async function lastDecision(
  database: Database,
  about: Parameters<typeof findDecisions>[1],
  kind: Decision["kind"],
): Promise<Decision> {
  const decisions = await findDecisions(database, about);
  return decisions.filter((decision) => decision.kind === kind).at(-1)!;
}

describe("an undone decision", () => {
  it("a confirmed trade is withdrawn, its order is free and the question open again", async () => {
    const database = await freshDatabase();
    const { order } = await putOrder(database, anOrder());
    const [line] = await deliver(database, { lines: [{}] });
    const tradeId = line!.tradeId!;
    expect((await getOrder(database, order.id))!.status).toBe("executed");
    const confirm = await lastDecision(database, { tradeId }, "confirm");
    const answer = await undo(database, confirm.id);
    expect(answer).toMatchObject({
      kind: "undone",
      questions: [{ subject: "line", lineId: line!.lineId }],
    });
    expect(await getTrade(database, tradeId)).toMatchObject({ status: "withdrawn", orderId: null });
    expect((await getOrder(database, order.id))!.status).toBe("open");
    expect(await getTradeLine(database, line!.lineId)).toMatchObject({
      outcome: "review",
      tradeId: null,
    });
    expect(await undo(database, confirm.id)).toEqual({
      kind: "objection",
      why: "it is already undone",
    });
    const again = await database.transaction((tx) => confirmTradeLine(tx, vera, line!.lineId));
    expect(again.kind).toBe("done");
    expect(await findTrades(database, { status: "confirmed" })).toHaveLength(1);
  });

  it("a trade line that was not a repeat becomes a separate trade [R28]", async () => {
    const database = await freshDatabase();
    const [first] = await deliver(database, { lines: [{}], words: "same" });
    const [second] = await deliver(database, { lines: [{}], words: "same" });
    const same = await lastDecision(database, { tradeId: first!.tradeId! }, "same");
    expect((await undo(database, same.id)).kind).toBe("undone");
    const trades = await findTrades(database);
    expect(trades).toHaveLength(2);
    expect(new Set(trades.map((trade) => trade.fingerprint)).size).toBe(2);
    expect(await getTradeLine(database, second!.lineId)).toMatchObject({ outcome: "confirmed" });
  });

  it("a trade line that was not a repeat is a question again if the person who answered takes the answer back", async () => {
    const database = await freshDatabase();
    const [first] = await deliver(database, { lines: [{}], words: "same" });
    const [second] = await deliver(database, { lines: [{}], words: "same" });
    const same = await lastDecision(database, { tradeId: first!.tradeId! }, "same");
    expect(await undo(database, same.id, true)).toMatchObject({
      questions: [{ subject: "line", lineId: second!.lineId }],
    });
    expect(await findTrades(database)).toHaveLength(1);
    expect(await getTradeLine(database, second!.lineId)).toMatchObject({
      outcome: "review",
      tradeId: null,
    });
  });

  it("an undone cancellation restores the trade and an undone amendment the one before it, each with its order [R29]", async () => {
    const database = await freshDatabase();
    await putOrder(database, anOrder());
    const [first] = await deliver(database, { lines: [{}] });
    const [cancel] = await deliver(database, {
      lines: [{ isCancelled: true, refersTo: "CN-1001", reference: null }],
    });
    await database.transaction((tx) => confirmTradeLine(tx, vera, cancel!.lineId));
    expect((await getTrade(database, first!.tradeId!))!.status).toBe("cancelled");
    const decision = await lastDecision(database, { tradeId: first!.tradeId! }, "cancel");
    expect((await undo(database, decision.id)).kind).toBe("undone");
    expect((await getTrade(database, first!.tradeId!))!.status).toBe("confirmed");

    const [amend] = await deliver(database, {
      lines: [
        {
          isAmendment: true,
          refersTo: "CN-1001",
          reference: "CN-2",
          price: 180,
          gross: null,
          net: null,
        },
      ],
    });
    expect((await getTrade(database, first!.tradeId!))!.status).toBe("amended");
    const old = await lastDecision(database, { tradeId: first!.tradeId! }, "confirm");
    expect(await undo(database, old.id)).toEqual({
      kind: "objection",
      why: "the trade is now amended",
    });
    const amended = await lastDecision(database, { tradeId: amend!.tradeId! }, "amend");
    expect((await undo(database, amended.id)).kind).toBe("undone");
    expect(await getTrade(database, first!.tradeId!)).toMatchObject({
      status: "confirmed",
      orderState: "linked",
    });
    expect((await getTrade(database, amend!.tradeId!))!.status).toBe("withdrawn");
  });

  it("an unlinked order is open again and a question asks for it", async () => {
    const database = await freshDatabase();
    const { order } = await putOrder(database, anOrder());
    const [line] = await deliver(database, { lines: [{}] });
    const link = await lastDecision(database, { tradeId: line!.tradeId! }, "link");
    expect(await undo(database, link.id)).toMatchObject({ questions: [{ subject: "order" }] });
    expect((await getOrder(database, order.id))!.status).toBe("open");
    expect(await getTrade(database, line!.tradeId!)).toMatchObject({ orderState: "in-review" });
    const answer = (id: number | null) =>
      database.transaction((tx) => answerOrder(tx, "vera", line!.tradeId!, id));
    expect(await answer(999)).toMatchObject({ kind: "refused" });
    expect(await answer(order.id)).toMatchObject({ kind: "done" });
    expect(await answer(order.id)).toMatchObject({ kind: "refused", why: "order O-1 is executed" });
    expect(await getTrade(database, line!.tradeId!)).toMatchObject({ orderState: "linked" });
  });

  it("a trade that was left without an order is asked about again", async () => {
    const database = await freshDatabase();
    await putOrder(database, anOrder());
    const [line] = await deliver(database, { lines: [{}] });
    const tradeId = line!.tradeId!;
    const link = await lastDecision(database, { tradeId }, "link");
    await undo(database, link.id);
    await database.transaction((tx) => answerOrder(tx, "vera", tradeId, null));
    const left = await lastDecision(database, { tradeId }, "unlink");
    expect(await undo(database, left.id)).toMatchObject({ questions: [{ subject: "order" }] });
    expect(await getTrade(database, tradeId)).toMatchObject({ orderState: "in-review" });
  });

  it("the lines of a document that is a note after all are questions again", async () => {
    const database = await freshDatabase();
    const [line] = await deliver(database, { lines: [{ confidence: 0.1 }] });
    const { documentId } = (await getTradeLine(database, line!.lineId))!;
    await database.transaction((tx) => rejectDocument(tx, "vera", documentId, "spam"));
    const dismissed = await lastDecision(database, { documentId }, "not-a-note");
    expect(await undo(database, dismissed.id)).toMatchObject({
      questions: [{ subject: "line", lineId: line!.lineId }],
    });
    expect(await getTradeLine(database, line!.lineId)).toMatchObject({ outcome: "review" });
    expect((await getDocument(database, documentId))!.status).toBe("parsed");
  });

  it("a rejected trade line becomes a question again; a question or an undo cannot be undone", async () => {
    const database = await freshDatabase();
    const [line] = await deliver(database, { lines: [{ confidence: 0.1 }] });
    await database.transaction((tx) => rejectTradeLine(tx, vera, line!.lineId, "no"));
    // The line was rejected on its own, so that only the document is asked about again.
    const { documentId } = (await getTradeLine(database, line!.lineId))!;
    await database.transaction((tx) => rejectDocument(tx, "vera", documentId, "spam"));
    const dismissed = await lastDecision(database, { documentId }, "not-a-note");
    expect(await undo(database, dismissed.id)).toMatchObject({
      questions: [{ subject: "document" }],
    });
    const reject = await lastDecision(database, { lineId: line!.lineId }, "reject");
    const answer = await undo(database, reject.id);
    expect(answer).toMatchObject({ questions: [{ subject: "line" }] });
    for (const kind of ["ask", "undo"] as const) {
      const decision = await lastDecision(database, { lineId: line!.lineId }, kind);
      expect((await undo(database, decision.id)).kind).toBe("objection");
    }
    expect(await undo(database, 999_999)).toEqual({ kind: "unknown" });
  });
});

describe("a reviewer's answer", () => {
  it("overrules a doubt but not an impossible fact", async () => {
    const database = await freshDatabase();
    const [line] = await deliver(database, { lines: [{ direction: null, confidence: 0.1 }] });
    const confirm = (changes: object) =>
      database.transaction((tx) => confirmTradeLine(tx, vera, line!.lineId, changes));
    expect(await confirm({})).toEqual({ kind: "refused", why: "missing: direction" });
    expect(await confirm({ direction: "SELL", isin: "US0000000000" })).toMatchObject({
      kind: "refused",
    });
    expect(await confirm({ direction: "SELL" })).toEqual({ kind: "done", questions: [] });
    const [trade] = await findTrades(database);
    expect(trade).toMatchObject({
      confirmedBy: "vera",
      needsAudit: false,
      facts: { direction: "SELL" },
    });
    const [decision] = await findDecisions(database, { tradeId: trade!.id });
    expect(decision!.kind).toBe("ask");
  });

  it("can link a trade line to a known trade, and cannot cancel an unknown one", async () => {
    const database = await freshDatabase();
    const [first] = await deliver(database, { lines: [{}] });
    const [other] = await deliver(database, { lines: [{ reference: "ZZ-9", confidence: 0.1 }] });
    const link = (id: string) =>
      database.transaction((tx) => linkTradeLine(tx, vera, other!.lineId, id));
    expect(await link("ldeburna-1")).toMatchObject({ kind: "refused" });
    expect(await link(first!.tradeId!)).toMatchObject({ kind: "done" });
    expect(await getTradeLine(database, other!.lineId)).toMatchObject({ outcome: "same" });
    const [cancel] = await deliver(database, {
      lines: [{ isCancelled: true, refersTo: "NO-777", reference: null }],
    });
    const answer = await database.transaction((tx) => confirmTradeLine(tx, vera, cancel!.lineId));
    expect(answer).toEqual({
      kind: "refused",
      why: "the trade with reference NO-777, which it cancels, is not known",
    });
  });
});
