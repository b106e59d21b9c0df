import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Fastify from "fastify";
import { beforeAll, describe, expect, it } from "vitest";
import { handleErrors } from "../../src/api/http/problem.ts";
import { describeApi } from "../../src/api/openapi.ts";
import { registerUploadNotesRoutes } from "../../src/api/trades/upload-notes-routes.ts";
import { openBlobStore } from "../../src/files/open-blob-store.ts";
import { createPoller } from "../../src/flows/ingestion/poll-files.ts";
import { folderPlace, storePlace } from "../../src/flows/ingestion/watched-place.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { findReviews } from "../../src/review/review-table.ts";
import { findLinks } from "../../src/trades/document-link-table.ts";
import { findTrades } from "../../src/trades/trade-table.ts";
import { guard } from "../helpers/guard.ts";
import { startGcsServer } from "../servers/gcs.ts";
import { aTrade } from "../trades/scene.ts";
import { plainPdf } from "./plain-note.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});

function form(parts: readonly { name: string; value: string | Buffer; filename?: string }[]) {
  const lines = parts.flatMap(({ name, value, filename }) => [
    Buffer.from(
      `--x\r\ncontent-disposition: form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"\r\ncontent-type: application/pdf`}\r\n\r\n`,
    ),
    Buffer.from(value as string),
    Buffer.from("\r\n"),
  ]);
  return {
    headers: { "content-type": "multipart/form-data; boundary=x" },
    payload: Buffer.concat([...lines, Buffer.from("--x--\r\n")]),
  };
}

async function server() {
  const app = Fastify();
  handleErrors(app);
  await describeApi(app, "0.0.0");
  guard(app, shop.database, async (request) =>
    request.headers.authorization === "Bearer operator"
      ? { id: "operator", role: "operator" }
      : { id: "user-1", role: null },
  );
  await registerUploadNotesRoutes(app, {
    ...shop.needs,
    clock: systemClock,
    emailOf: async (caller) => (caller.role === "operator" ? null : "nina@firm.example"),
  });
  return app;
}

describe("a note that a person uploads", () => {
  it("is archived under that person's name and becomes a trade in the same way [ARC-07] [ARC-15] [TRD-01]", async () => {
    const app = await server();
    const note = await plainPdf({ trades: [aTrade({ reference: "UP-1", account: "U1" })] });
    const upload = form([{ name: "file", value: note, filename: "My Note.PDF" }]);
    const answer = await app.inject({ method: "POST", url: "/api/contract-notes", ...upload });
    expect(answer.statusCode).toBe(202);
    const { accepted } = answer.json() as { accepted: { jobId: string; statusUrl: string }[] };
    expect(accepted[0]!.statusUrl).toBe(`/api/jobs/${accepted[0]!.jobId}/status`);
    await shop.jobs.workUntilIdle();
    const [trade] = await findTrades(shop.database, { usernames: ["nina"] });
    expect(trade).toMatchObject({ status: "confirmed", senderEmail: "nina@firm.example" });
    const [link] = await findLinks(shop.database, trade!.id);
    expect(link!.archivePath).toMatch(
      /^archive\/sender_email=nina%40firm%2Eexample\/received_date=\d{4}-\d\d-\d\d\/nina-20260204-AAPL-BUY-100\/.+\.pdf$/,
    );
  });

  it("twice is one trade, and in another's name only for an operator [TRD-03]", async () => {
    const app = await server();
    const note = await plainPdf({ trades: [aTrade({ reference: "UP-2", account: "U2" })] });
    const upload = form([
      { name: "senderEmail", value: "omar@firm.example" },
      { name: "file", value: note, filename: "n.pdf" },
    ]);
    const headers = { ...upload.headers, authorization: "Bearer operator" };
    for (let n = 0; n < 2; n += 1) {
      const answer = await app.inject({
        method: "POST",
        url: "/api/contract-notes",
        ...upload,
        headers,
      });
      expect(answer.statusCode).toBe(202);
      await shop.jobs.workUntilIdle();
    }
    expect(await findTrades(shop.database, { usernames: ["omar"] })).toHaveLength(1);
    await app.inject({ method: "POST", url: "/api/contract-notes", ...upload });
    await shop.jobs.workUntilIdle();
    expect(await findTrades(shop.database, { usernames: ["omar"] })).toHaveLength(1);
  });

  it("that is not a PDF, empty, or not in a form is refused with a reason [H-18]", async () => {
    const app = await server();
    const post = (request: object) =>
      app.inject({ method: "POST", url: "/api/contract-notes", ...request });
    const wrong = await post(form([{ name: "file", value: "MZ\u0090", filename: "a.pdf" }]));
    expect(wrong.statusCode).toBe(415);
    expect(wrong.json()).toMatchObject({
      detail: "not-a-pdf: no PDF header in the first 1,024 bytes",
    });
    expect((await post(form([{ name: "file", value: "", filename: "a.pdf" }]))).statusCode).toBe(
      415,
    );
    expect((await post(form([{ name: "note", value: "x" }]))).statusCode).toBe(400);
    expect((await post({ payload: { a: 1 } })).statusCode).toBe(400);
    const nameless = form([{ name: "file", value: "%PDF-1.4", filename: "a.pdf" }]);
    const headers = { ...nameless.headers, authorization: "Bearer operator" };
    expect((await post({ ...nameless, headers })).statusCode).toBe(400);
  });

  it("that cannot be read becomes a question", async () => {
    const app = await server();
    const upload = form([{ name: "file", value: "%PDF-1.4 rubbish", filename: "bad.pdf" }]);
    await app.inject({ method: "POST", url: "/api/contract-notes", ...upload });
    await shop.jobs.workUntilIdle();
    const open = await findReviews(shop.database, { status: "open", subject: "document" });
    expect(open.map((review) => review.reason).join()).toMatch(/damaged/);
  });
});

describe("a note in a watched folder", () => {
  it("takes sender and date from its path and is taken once [ARC-05] [ARC-08]", async () => {
    const folder = join(shop.folder, "drop");
    const partition = join(
      folder,
      "sender_email=pia%40firm%2Eexample",
      "received_date=2026-02-05",
      "x",
    );
    await mkdir(partition, { recursive: true });
    const note = await plainPdf({ trades: [aTrade({ reference: "PO-1", account: "P1" })] });
    await writeFile(join(partition, "note.pdf"), note);
    await writeFile(join(folder, "orphan.pdf"), note);
    await writeFile(join(partition, "readme.txt"), "hello");
    const poller = () => createPoller({ ...shop.needs, place: folderPlace(folder) });
    const one = poller();
    expect(await one.poll()).toBe(1);
    expect(await one.poll()).toBe(0);
    await shop.jobs.workUntilIdle();
    expect(await poller().poll()).toBe(1);
    await shop.jobs.workUntilIdle();
    const trades = await findTrades(shop.database, { usernames: ["pia"] });
    expect(trades).toHaveLength(1);
    const [link] = await findLinks(shop.database, trades[0]!.id);
    expect(link!.archivePath).toMatch(
      /^archive\/sender_email=pia%40firm%2Eexample\/received_date=2026-02-05\/[0-9a-f]{16}\/note\.pdf$/,
    );
  });

  it("in a bucket is taken once per generation, with sender and date from its path or metadata [ARC-08]", async () => {
    const server = await startGcsServer(["drop"]);
    const store = await openBlobStore(
      { clock: systemClock, random: systemRandom },
      { kind: "gcs", bucket: "drop", endpoint: server.url },
    );
    const note = (reference: string) =>
      plainPdf({ trades: [aTrade({ reference, account: reference })] });
    const put = async (path: string, reference: string, metadata = {}) =>
      store.put({ path, bytes: await note(reference), contentType: "application/pdf", metadata });
    const hive = "notes/sender_email=rosa%40firm%2Eexample/received_date=2026-02-05/x/a.pdf";
    await put(hive, "BU-1");
    const told = { "sender-email": "rosa@firm.example", "received-date": "2026-02-06" };
    await put("notes/plain.pdf", "BU-2", told);
    await put("notes/orphan.pdf", "BU-3");
    await put("archive/own.pdf", "BU-4", told);
    let nowMs = Date.now();
    const clock = { ...systemClock, now: () => nowMs };
    const poller = () => createPoller({ ...shop.needs, place: storePlace(store, "", clock) });
    const one = poller();
    expect(await one.poll()).toBe(2);
    expect(await one.poll()).toBe(0);
    await shop.jobs.workUntilIdle();
    expect(await findTrades(shop.database, { usernames: ["rosa"] })).toHaveLength(2);
    await store.remove(hive);
    await put(hive, "BU-5");
    nowMs += 10 * 60_000;
    expect(await one.poll()).toBe(1);
    // After a restart, each version is met again.
    await poller().poll();
    await shop.jobs.workUntilIdle();
    const trades = await findTrades(shop.database, { usernames: ["rosa"] });
    expect(trades).toHaveLength(3);
    const { version } = (await store.head(hive))!;
    const links = await Promise.all(trades.map(({ id }) => findLinks(shop.database, id)));
    expect(links.flat().map((link) => link.archivePath)).toContainEqual(
      expect.stringContaining(`/${version}/`),
    );
    await server.close();
  });
});
