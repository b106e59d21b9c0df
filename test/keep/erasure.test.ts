/** What is left of a person after an erasure, and what a legal hold keeps. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { findText } from "../../src/keep/erasure-table.ts";
import { sha256Hex } from "../../src/lib/hash.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { insertChunks } from "../../src/search/chunk-table.ts";
import { upsertIndexed } from "../../src/search/indexed-document-table.ts";
import type { Tenant } from "../../tenant/index.ts";
import { anApp, aTenant, type TestApp, until, watch } from "../helpers/app.ts";
import { commandsFor } from "../helpers/cli.ts";
import { call, NINA, sendNote, type TradeRow, tradesOf, trustNina, untilTrades } from "./notes.ts";

interface Report {
  readonly erased: { place: string; count: number }[];
  readonly kept: { place: string; item: string; reason: string }[];
  readonly remains: { place: string; count: number }[];
}

const OMAR = "omar.haddad@ashdown.example";
const word = (name: string) => `${name}${systemRandom.bytes(6).toString("hex")}`;
/** Words that occur nowhere but in what is erased. */
const GONE = {
  subject: word("zgone"),
  file: word("zfile"),
  own: word("zown"),
  text: word("ztext"),
};
const HELD = { subject: word("zheld"), file: word("zheldfile") };

let tenant: Tenant;
let app: TestApp;
let gonePdf: Buffer;
let [gone, held]: TradeRow[] = [];

beforeAll(async () => {
  tenant = await aTenant();
  app = await anApp(tenant);
  await watch(app, tenant, ["omar"], "Inbox");
  await watch(app, tenant, ["nina"]);
  await trustNina(app);
  gonePdf = await sendNote(tenant, OMAR, {
    seed: "gone",
    subject: GONE.subject,
    name: `${GONE.file}.pdf`,
  });
  [gone] = await untilTrades(app, 1);
  await sendNote(tenant, OMAR, { seed: "held", subject: HELD.subject, name: `${HELD.file}.pdf` });
  held = (await untilTrades(app, 2)).find(({ id }) => id !== gone!.id)!;
  await tenant.graph.admin.sendMail({ to: NINA, from: "a@elsewhere.example", subject: GONE.own });
  await until("Nina's event", async () => (await find(GONE.own)).length > 0);
  await index();
  await until("the archive", async () => filesWith((bytes) => bytes.equals(gonePdf)).length > 0);
});

/** A document of hers in the search index. */
async function index(): Promise<void> {
  const document = {
    ...{ documentId: systemRandom.uuid(), tenantId: tenant.tenantId, version: "1", generation: 1 },
    ...{
      sha256: "0".repeat(64),
      name: "letter.txt",
      kind: "text",
      parentType: null,
      parentId: null,
    },
    ...{
      parentName: null,
      sender: NINA,
      mailbox: null,
      datedAt: null,
      webUrl: null,
      driveId: null,
    },
    ...{ itemId: null, language: "english", chunkCount: 1, reason: null },
  };
  await app.database.transaction(async (tx) => {
    await upsertIndexed(tx, document as never);
    const chunk = { index: 0, start: 0, content: `a letter about ${GONE.text}`, pages: [] };
    await insertChunks(tx, document as never, [chunk as never], null);
  });
}

const find = (text: string) => findText(app.database, text);

/** Files in the home whose path or content matches. */
function filesWith(matches: (bytes: Buffer, path: string) => boolean): string[] {
  return readdirSync(app.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => matches(readFileSync(path), path));
}

const erase = (dryRun: boolean) =>
  call<Report>(app, "POST", "/api/erasures", { address: NINA, dryRun });

async function everything(): Promise<string> {
  const { rows } = await app.database.query<{ text: string }>(
    `SELECT string_agg(t::text, '|' ORDER BY t::text) AS text FROM
       (SELECT id::text FROM postroom.trade UNION ALL SELECT seq::text || coalesce(subject, '') FROM postroom.event
        UNION ALL SELECT id::text FROM postroom.trade_document UNION ALL SELECT address FROM postroom.mailbox
        UNION ALL SELECT stem FROM postroom.stem) t`,
  );
  return rows[0]!.text;
}

describe("an erasure", () => {
  it("that is only tried reports what would happen and changes nothing", async () => {
    const before = await everything();
    const report = await erase(true);
    expect(report.erased).toContainEqual({ place: "trades", count: 2 });
    expect(report.erased).toContainEqual({ place: "mailboxes", count: 1 });
    expect(await everything()).toBe(before);
  });

  it("erases nothing of a person who is held, and lists each thing with the reason", async () => {
    const hold = { kind: "person", subject: NINA, reason: "case 1" };
    const { id } = await call<{ id: number }>(app, "POST", "/api/holds", hold);
    const before = await everything();
    const report = await erase(false);
    expect(await everything()).toBe(before);
    expect(report.erased).toEqual([]);
    expect((await commandsFor(app)(["erase", NINA])).out).toContain(`${NINA}: nothing was erased`);
    const kept = report.kept.map(({ place, item }) => `${place} ${item}`);
    for (const trade of [gone!, held!]) expect(kept).toContain(`trade ${trade.id}`);
    expect(kept).toContain(`mailbox ${NINA}`);
    expect(new Set(report.kept.map(({ reason }) => reason))).toEqual(
      new Set(["legal hold: case 1"]),
    );
    await call(app, "DELETE", `/api/holds/${id}`);
  });

  it("leaves no word of the person in database, files, index or log, except in what a hold keeps", async () => {
    for (const text of Object.values(GONE)) expect(await find(text)).not.toEqual([]);
    await call(app, "POST", "/api/holds", { kind: "trade", subject: held!.id, reason: "case 2" });
    const report = await erase(false);
    expect(report.erased).toContainEqual({ place: "mailboxes", count: 1 });
    expect((await tradesOf(app)).map(({ id }) => id)).toEqual([held!.id]);
    const { documentId } = held!.documents[0]!;
    const reason = "legal hold: case 2";
    expect(report.kept.filter(({ place }) => place !== "action")).toEqual([
      { place: "trade", item: held!.id, reason },
      { place: "note", item: documentId, reason },
      { place: "event", item: expect.any(String), reason },
      { place: "person", item: NINA, reason: "a trade that is kept is theirs" },
    ]);
    for (const text of Object.values(GONE)) {
      expect(await find(text), text).toEqual([]);
      expect(JSON.stringify(app.logLines), text).not.toContain(text);
      expect(filesWith((bytes, path) => bytes.includes(text) || path.includes(text))).toEqual([]);
    }
    expect(filesWith((bytes) => bytes.equals(gonePdf))).toEqual([]);
    expect(await find(sha256Hex(gonePdf))).toEqual([]);
    // The hold keeps its note, with its file and its row.
    expect(filesWith((_, path) => path.includes(HELD.file)).length).toBeGreaterThan(0);
    // The address is left in what is held and nowhere else.
    const remains = new Map(report.remains.map(({ place, count }) => [place, count]));
    for (const table of ["postroom.event", "bo_airflow.email_ingestion_state", "postroom.person"])
      expect(
        [...remains].filter(([place]) => place.startsWith(table)).map(([, count]) => count),
      ).toContain(1);
    const isOfHeld =
      /^(postroom\.(trade|trade_document|trade_line|legal_hold|ingest_stage|ingest_trace|trade_decision|event|message|person)|bo_airflow\.email_ingestion_state)\./;
    expect([...remains.keys()].filter((place) => !isOfHeld.test(place))).toEqual([]);
  });

  it("is not undone by the next look at the mailboxes, and books nothing again", async () => {
    await call(app, "POST", `/api/mailboxes/${OMAR}/resync`);
    await app.jobs.workUntilIdle(30_000);
    expect((await tradesOf(app)).map(({ id }) => id)).toEqual([held!.id]);
    const { mailboxes } = await call<{ mailboxes: { address: string }[] }>(
      app,
      "GET",
      "/api/mailboxes",
    );
    expect(mailboxes.map(({ address }) => address)).toEqual([OMAR]);
  });
});
