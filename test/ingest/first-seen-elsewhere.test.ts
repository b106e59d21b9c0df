/** Messages that a rule or a person moved before our first look, and the audit that knows ingestion. */
import { beforeAll, expect, it } from "vitest";
import { afterEvents } from "../../src/flows/ingestion/after-events.ts";
import { createIngestionAudit } from "../../src/flows/ingestion/audit-ingestion.ts";
import { loadScope } from "../../src/flows/ingestion/ingestion-scope.ts";
import { syncMailbox } from "../../src/flows/watching/delta-sync.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createHttp } from "../../src/lib/http.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { getFolder, setFolderExcluded } from "../../src/mailbox/folders/folder-table.ts";
import {
  getMailboxByAddress,
  type Mailbox,
  upsertMailbox,
} from "../../src/mailbox/mailbox-table.ts";
import { auditMailbox } from "../../src/mailbox/operating/audit-mailbox.ts";
import { createGraphClient } from "../../src/microsoft/graph/graph-client.ts";
import { createMailboxLimiter } from "../../src/microsoft/graph/mailbox-limiter.ts";
import { rowOf } from "../claims/scene.ts";
import { aTrade } from "../trades/scene.ts";
import { plainPdf } from "./plain-note.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
let mailbox: Mailbox;
let needs: ReturnType<typeof watchingNeeds>;

function watchingNeeds() {
  const { origin, tokenFor } = shop.tenant;
  const graph = createGraphClient({
    http: createHttp({ allowedOrigins: [origin], unavailable: "graph.unavailable" }),
    ...{ origin, token: async () => tokenFor({}), limiter: createMailboxLimiter(systemClock) },
    ...{ clock: systemClock, random: systemRandom },
  });
  return {
    ...{ database: shop.database, clock: systemClock, log: shop.needs.log, graphOf: () => graph },
    followUp: afterEvents(shop.needs.jobs),
    ingestion: createIngestionAudit(shop.needs),
  };
}

beforeAll(async () => {
  shop = await openWorkshop();
  needs = watchingNeeds();
  const ids = { address: shop.mailbox, graphUserId: shop.mailbox, ownerId: "owner" };
  await upsertMailbox(shop.database, { ...ids, ingestFolder: "Inbox" });
  mailbox = (await getMailboxByAddress(shop.database, shop.mailbox))!;
  for (const name of ["Filed", "Private"]) shop.tenant.graph.admin.createFolder(shop.mailbox, name);
  await syncMailbox(needs, mailbox);
  const hidden = await getFolder(shop.database, mailbox.id, "Private");
  await setFolderExcluded(shop.database, mailbox.id, hidden!.folderId, true);
});

let notes = 0;
async function arriveIn(folder: string): Promise<string> {
  notes += 1;
  const trade = aTrade({ reference: `E-${notes}`, account: `E${notes}` });
  const id = await shop.send({ files: [await plainPdf({ trades: [trade] })] });
  if (folder !== "inbox") shop.tenant.graph.admin.move(shop.mailbox, id, folder);
  return id;
}

it("a note that was moved before our first look is ingested, unless its folder is excluded", async () => {
  const filed = await arriveIn("Filed");
  const deleted = await arriveIn("deleteditems");
  const hidden = await arriveIn("Private");
  await syncMailbox(needs, mailbox);
  await shop.jobs.workUntilIdle();
  expect(await rowOf(shop.database, filed)).toMatchObject({ status: "success" });
  expect(await rowOf(shop.database, deleted)).toMatchObject({ status: "success" });
  expect(await rowOf(shop.database, hidden)).toBeUndefined();
  expect((await auditMailbox(needs, mailbox, { since: null, repair: false })).findings).toEqual([]);
});

it("a message that entered the ingestion folder without a job is found by the audit and ingested by its repair", async () => {
  const forgotten = [await arriveIn("inbox"), await arriveIn("Filed")];
  await syncMailbox({ ...needs, followUp: async () => {} }, mailbox);
  const { findings } = await auditMailbox(needs, mailbox, { since: null, repair: false });
  expect(findings.map(({ messageId, kind }) => ({ messageId, kind }))).toEqual(
    forgotten.map((messageId) => ({ messageId, kind: "forgotten" })),
  );
  expect(await auditMailbox(needs, mailbox, { since: null, repair: true })).toMatchObject({
    repaired: 2,
  });
  // A message that has its job is no finding, even before the job has run.
  expect((await auditMailbox(needs, mailbox, { since: null, repair: true })).findings).toEqual([]);
  await shop.jobs.workUntilIdle();
  for (const id of forgotten) {
    expect(await rowOf(shop.database, id)).toMatchObject({ status: "success" });
  }
  expect((await auditMailbox(needs, mailbox, { since: null, repair: false })).findings).toEqual([]);
});

it("mail where messages begin their life, mail moved between other folders and old mail are not in scope", async () => {
  const folderId = async (name: string) =>
    (await getFolder(shop.database, mailbox.id, name))!.folderId;
  const ofFiled = await loadScope(shop.database, { ...mailbox, ingestFolder: "Filed" });
  const receivedAt = new Date(mailbox.ingestSince.getTime() + 1_000);
  const event = { messageId: "m", eventType: "arrived" as const, receivedAt };
  const isInScope = async (name: string, changes: object = {}) =>
    ofFiled({ ...event, folderId: await folderId(name), ...changes });
  expect(await isInScope("Filed")).toBe(true);
  expect(await isInScope("Filed", { eventType: "moved" })).toBe(true);
  expect(await isInScope("archive")).toBe(true);
  expect(await isInScope("archive", { eventType: "moved" })).toBe(false);
  expect(await isInScope("archive", { receivedAt: new Date(0) })).toBe(false);
  for (const name of ["inbox", "drafts", "sentitems", "Private"]) {
    expect([name, await isInScope(name)]).toEqual([name, false]);
  }
});
