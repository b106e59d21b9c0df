import { beforeAll, describe, expect, it } from "vitest";
import { findDocumentsOfMail } from "../../src/ingestion/document-table.ts";
import { findReviews } from "../../src/review/review-table.ts";
import { extractContent } from "../../src/trades/content/content-of-extraction.ts";
import { findTrades, getTrade } from "../../src/trades/trade-table.ts";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import type { NoteRequest } from "../../tenant/content/notes/note.ts";
import { rowOf } from "../claims/scene.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop({ extract: extractContent });
});

async function arrive(request: NoteRequest) {
  const note = await makeNote(request);
  const id = await shop.send({ files: [{ name: note.fileName, bytes: note.pdf }] });
  await shop.ingest(id);
  return { id, note, trades: await findTrades(shop.database, { messageId: id }) };
}

const english = { language: "en" } as const;

describe("notes as brokers print them", () => {
  it("a purchase becomes the trade that stands on the note, in pounds where it was printed in pence [TRD-01] [TRD-06] [X-05] [R49]", async () => {
    for (const kind of ["buy", "pence"] as const) {
      const { note, trades } = await arrive({ seed: `real-${kind}`, kind, ...english });
      const [truth] = note.truth.trades;
      const isPence = truth!.priceCurrency === "GBX";
      expect(trades).toMatchObject([
        {
          status: "confirmed",
          facts: {
            direction: truth!.direction,
            tradeDate: truth!.tradeDate,
            isin: truth!.isin,
            quantity: truth!.quantity,
            net: truth!.net,
            price: isPence ? truth!.price / 100 : truth!.price,
            priceCurrency: isPence ? "GBP" : truth!.priceCurrency,
          },
        },
      ]);
    }
  });

  it("the same note resent is the same trade [TRD-03] [R27]", async () => {
    const request = { seed: "resent", kind: "sell", ...english } as const;
    const first = await arrive(request);
    const again = await arrive(request);
    expect(first.trades).toHaveLength(1);
    expect(again.trades.map((trade) => trade.id)).toEqual(first.trades.map((trade) => trade.id));
  });

  it("a cancellation becomes a question, and the answer cancels the trade [R29] [X-02]", async () => {
    const first = await arrive({ seed: "chain", kind: "buy", ...english });
    const { reference } = first.note.truth.trades[0]!;
    const cancel = await arrive({
      seed: "chain",
      kind: "cancellation",
      refersTo: reference,
      ...english,
    });
    expect(cancel.trades).toEqual([]);
    const [document] = await findDocumentsOfMail(shop.database, cancel.id);
    const [review] = await findReviews(shop.database, { status: "open", documentId: document!.id });
    expect(review!.reason).toContain(first.trades[0]!.id);
    await shop.decide(review!.id, { action: "accept" });
    expect(await getTrade(shop.database, first.trades[0]!.id)).toMatchObject({
      status: "cancelled",
    });
  });

  it("an amended note replaces the trade that it names, once; if the trade is unknown, a person is asked [R29]", async () => {
    const note = {
      seed: "am",
      skin: "kestrelbrook",
      security: "IE0ZMWE04810",
      account: "4495-627545",
      ...english,
    } as const;
    const first = await arrive({ ...note, kind: "buy" });
    const { reference } = first.note.truth.trades[0]!;
    const wish = { ...note, kind: "amendment", reference: "2031-778899" } as const;
    const amended = await arrive({ ...wish, refersTo: reference });
    expect(amended.trades).toMatchObject([{ status: "confirmed" }]);
    expect(await getTrade(shop.database, first.trades[0]!.id)).toMatchObject({ status: "amended" });
    const again = await arrive({ ...wish, refersTo: reference });
    expect(again.trades.map((trade) => trade.id)).toEqual([amended.trades[0]!.id]);

    const elsewhere = { seed: "unknown", reference: "2031-100200", refersTo: "2031-471147" };
    const lost = await arrive({ ...wish, ...elsewhere });
    expect(lost.trades).toEqual([]);
    const [document] = await findDocumentsOfMail(shop.database, lost.id);
    const [review] = await findReviews(shop.database, { status: "open", documentId: document!.id });
    expect(review!.reason).toBe("the trade that it replaces is not known");
  });

  it("a dividend, a newsletter or a statement without trades is a success without trades and without a question [X-05] [R50]", async () => {
    for (const kind of ["dividend", "newsletter", "account-statement"] as const) {
      const { id, trades } = await arrive({ seed: `none-${kind}`, kind, ...english });
      expect(trades).toEqual([]);
      expect((await rowOf(shop.database, id))!["status"]).toBe("success");
      const [document] = await findDocumentsOfMail(shop.database, id);
      expect(await findReviews(shop.database, { documentId: document!.id })).toEqual([]);
    }
  });

  it("an encrypted note and a scanned one become questions with their own reasons [R25]", async () => {
    const reasons: string[] = [];
    for (const variant of ["encrypted", "scanned"] as const) {
      const { id } = await arrive({ seed: `hard-${variant}`, kind: "buy", variant, ...english });
      expect((await rowOf(shop.database, id))!["status"]).toBe("failed");
      const [document] = await findDocumentsOfMail(shop.database, id);
      const [review] = await findReviews(shop.database, { documentId: document!.id });
      reasons.push(review!.reason.split(":")[0]!);
    }
    expect(reasons).toEqual(["encrypted", "no-text"]);
  });
});
