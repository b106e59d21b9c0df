import { beforeAll, describe, expect, it } from "vitest";
import { sweepIngestion } from "../../src/flows/ingestion/sweep-ingestion.ts";
import { claimMail } from "../../src/ingestion/claim-mail.ts";
import { findTrades } from "../../src/trades/trade-table.ts";
import { expireLease, mailOf, rowOf } from "../claims/scene.ts";
import { aTrade } from "../trades/scene.ts";
import { plainPdf } from "./plain-note.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});

describe("the backstop", () => {
  it("retries a message whose worker died, once, and it succeeds without a second trade [ING-18] [H-04] [R02]", async () => {
    const id = await shop.send({ files: [await plainPdf({ trades: [aTrade()] })] });
    const mail = { ...mailOf(id), mailbox: shop.mailbox };
    const dead = await claimMail(shop.database, shop.needs.table, mail, { workerId: "ts:dead" });
    expect(dead.isOurs).toBe(true);
    expect(await sweepIngestion(shop.needs)).toMatchObject({ reaped: 0, retried: 0 });
    await expireLease(shop.database, id);
    expect(await sweepIngestion(shop.needs)).toMatchObject({ reaped: 1, retried: 0 });
    expect(await rowOf(shop.database, id)).toMatchObject({
      status: "failed",
      error_message: "lease of ts:dead expired",
    });
    // Its own job would have come by now.
    await shop.database.query(
      "UPDATE postroom.ingest_lease SET next_attempt_at = postroom.now() - interval '2 minutes'",
    );
    expect(await sweepIngestion(shop.needs)).toMatchObject({ reaped: 0, retried: 1 });
    expect(await sweepIngestion(shop.needs)).toMatchObject({ reaped: 0, retried: 0 });
    await shop.jobs.workUntilIdle();
    expect(await rowOf(shop.database, id)).toMatchObject({
      status: "success",
      error_message: null,
    });
    expect(await findTrades(shop.database, { messageId: id })).toHaveLength(1);
    expect(await sweepIngestion(shop.needs)).toMatchObject({ reaped: 0, retried: 0 });
  });

  it("gives up on a message that failed too often; a person can still retry it", async () => {
    const id = await shop.send({
      files: [await plainPdf({ trades: [aTrade({ reference: "B-2", account: "B2" })] })],
    });
    const mail = { ...mailOf(id), mailbox: shop.mailbox };
    await claimMail(shop.database, shop.needs.table, mail, { workerId: "ts:dead" });
    await expireLease(shop.database, id);
    await sweepIngestion(shop.needs);
    await shop.database.query(
      "UPDATE postroom.ingest_lease SET attempts = 12, next_attempt_at = postroom.now() - interval '1 day'",
    );
    expect(await sweepIngestion(shop.needs)).toMatchObject({ reaped: 0, retried: 0 });
    await shop.ingest(id, { isForced: true });
    expect(await rowOf(shop.database, id)).toMatchObject({ status: "success" });
  });
});
