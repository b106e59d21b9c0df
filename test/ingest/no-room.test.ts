/** The disk of the spool or of the archive is full for a while. */
import { beforeAll, describe, expect, it } from "vitest";
import { Fault } from "../../src/lib/fault.ts";
import { findTrades } from "../../src/trades/trade-table.ts";
import { rowOf } from "../claims/scene.ts";
import { withFileSizeMax } from "../files/file-size-max.ts";
import { createFullDisk } from "../helpers/full-disk.ts";
import { aTrade } from "../trades/scene.ts";
import { plainPdf } from "./plain-note.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});

const waits = { errorCode: "store.full", retryable: true, countsAsAttempt: false };
const SMALL = 16 * 1024;
let notes = 0;
/** A note too large for a disk that has little room left. */
async function arrive(): Promise<string> {
  notes += 1;
  const trade = aTrade({ reference: `F-${notes}`, account: `F${notes}` });
  const pdf = await plainPdf({ trades: [trade] });
  const end = pdf.subarray(pdf.lastIndexOf("startxref"));
  return shop.send({ files: [Buffer.concat([pdf, Buffer.alloc(2 * SMALL, "% \n"), end])] });
}
const attemptsOf = async (messageId: string) =>
  (
    await shop.database.query<{ attempts: number }>(
      "SELECT attempts FROM postroom.ingest_lease WHERE message_id = $1",
      [messageId],
    )
  ).rows[0]?.attempts;

describe("a message that arrives while there is no disk space", () => {
  it("in the spool waits without losing an attempt and succeeds when there is room [H-05] [H-19]", async () => {
    const id = await arrive();
    await withFileSizeMax(SMALL, async () => {
      for (let tries = 0; tries < 3; tries += 1) {
        expect(await shop.attempt(id, 5)).toMatchObject(waits);
      }
    });
    expect(await attemptsOf(id)).toBe(0);
    expect(await shop.attempt(id, 5)).toMatchObject({ isSuccess: true });
    expect(await findTrades(shop.database, { messageId: id })).toHaveLength(1);
  });

  it("in the archive waits too, is marked a success only afterwards, and then has its path [H-19]", async () => {
    const id = await arrive();
    // The file is read and spooled, and the attempt ends before the archive has it.
    const put = () => Promise.reject(new Fault("unexpected", "not yet"));
    await shop.attempt(id, 1, { ...shop.needs, blobs: { ...shop.needs.blobs, put } });
    await shop.database.query("UPDATE postroom.ingest_lease SET next_attempt_at = NULL");
    await withFileSizeMax(SMALL, async () => {
      expect(await shop.attempt(id, 5)).toMatchObject(waits);
    });
    expect(await rowOf(shop.database, id)).not.toMatchObject({ status: "success" });
    expect(await shop.attempt(id, 5)).toMatchObject({ isSuccess: true });
    const [path] = (await rowOf(shop.database, id))!["archive_gcs_paths"] as string[];
    expect(await shop.needs.blobs.get(path!)).not.toBeNull();
  });

  it("in the database ends once, with one trade, when there is room [H-05] [R36]", async () => {
    const id = await arrive();
    const disk = await createFullDisk(shop.database);
    const read: typeof shop.needs.pdfs.read = async (bytes, signal) => {
      await disk.fill();
      return shop.needs.pdfs.read(bytes, signal);
    };
    expect(await shop.attempt(id, 5, { ...shop.needs, pdfs: { read } })).toMatchObject(waits);
    expect(await findTrades(shop.database, { messageId: id })).toEqual([]);
    await disk.empty();
    await shop.database.query("UPDATE postroom.ingest_lease SET until = postroom.now()");
    await shop.ingest(id);
    expect(await rowOf(shop.database, id)).toMatchObject({ status: "success" });
    expect(await findTrades(shop.database, { messageId: id })).toHaveLength(1);
  });
});
