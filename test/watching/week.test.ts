/** The process is away for a week of the tenant's time; the whole application, its queue and its readers are real. */
import { afterAll, describe, expect, it } from "vitest";
import { type App, startApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config.ts";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import { createLog } from "../../src/lib/log.ts";
import { findEvents } from "../../src/mailbox/events/event-table.ts";
import { openDatabase } from "../../src/store/database.ts";
import { replacePeople } from "../../src/trades/senders/person-table.ts";
import { approveSender } from "../../src/trades/senders/sender-table.ts";
import { findTrades } from "../../src/trades/trade-table.ts";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import type { MessageReference } from "../../tenant/graph/admin.ts";
import type { Tenant } from "../../tenant/index.ts";
import { aTenant, settingsFor, until, watch } from "../helpers/app.ts";

const DAY_MS = 24 * 60 * 60_000;
const BROKER = "documents@broker.example";
const CLIENT = { email: "ines@firm.example", name: "Ines Calvo", username: "ines", accounts: [] };
const running = new Set<App>();
afterAll(async () => {
  for (const app of running) await app.stop();
});

describe("after seven days without the process", () => {
  it("everything is caught up on start, and no contract note is ingested twice [SUB-23] [DLT-15] [H-14] [ING-05]", {
    timeout: 600_000,
  }, async () => {
    // A little ahead of the app: Graph refuses a subscription that would last too long by its own clock.
    const tenant = await aTenant({
      clock: "virtual",
      startAt: Date.now() + 120_000,
      switches: { deliveryDelayMs: 1_000, journalRequests: true },
    });
    const settings = await settingsFor(tenant);
    const office = openOffice(tenant);

    const before = await startAhead(settings, 0);
    await watch(before, tenant, [office.user.userPrincipalName], "inbox");
    await trustBroker(before);
    const notes = [await office.receiveNote("before")];
    await tenant.clock.advance(5_000);
    await untilTrades(before, 1);
    // This one is acknowledged; whether it is processed before the stop is left to chance.
    await office.receiveNote("at the last moment");
    await tenant.clock.advance(5_000);
    await stop(before);

    for (let day = 1; day <= 7; day++) {
      const note = await office.receiveNote(`day ${day}`);
      notes.push(note);
      await office.receiveMail(`Mail of day ${day}`);
      if (day % 2 === 0) tenant.graph.admin.markRead(office.user.id, note.id);
      await tenant.clock.advance(DAY_MS);
    }

    const after = await startAhead(settings, 7 * DAY_MS);
    await untilTrades(after, 9);
    await after.jobs.workUntilIdle();
    expect(tenant.graph.admin.subscriptions()).toHaveLength(1);
    notes.push(await office.receiveNote("after"));
    await tenant.clock.advance(5_000);
    await untilTrades(after, 10);

    // Later looks make nothing new of it.
    for (let round = 0; round < 2; round++) {
      await after.watching.readAll("test");
      await after.jobs.workUntilIdle();
    }
    expect(await storyOf(after)).toEqual([...office.arrived].sort());
    expect(await untilTrades(after, 10)).toEqual([...office.trades].sort());
    expect(notes.map(office.timesRead)).toEqual(notes.map(() => 1));
    await stop(after);
  });
});

/** The application as it runs `aheadMs` from now; the database's clock goes along. */
async function startAhead(settings: Record<string, string>, aheadMs: number): Promise<App> {
  const database = openDatabase({ url: settings["DATABASE_URL"]!, connections: 1 });
  await database.query(
    `CREATE OR REPLACE FUNCTION postroom.now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
     AS $$ SELECT clock_timestamp() + interval '${aheadMs} milliseconds' $$`,
  );
  await database.close();
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const app = await startApp(loadConfig(settings), { clock, log: createLog({ level: "silent" }) });
  running.add(app);
  return app;
}

/** The broker is approved and the client is known, so that notes are booked without a person. */
async function trustBroker({ database }: App): Promise<void> {
  await approveSender(database, { pattern: BROKER, by: "a test", until: null });
  await database.transaction((tx) => replacePeople(tx, "import", [CLIENT]));
}

async function stop(app: App): Promise<void> {
  running.delete(app);
  await app.stop();
}

/** People who send contract notes and other mail, and the tenant's own record of what was read of it. */
function openOffice(tenant: Tenant) {
  const user = tenant.users[0]!;
  const arrived: string[] = [];
  const trades: string[] = [];
  const receive = async (subject: string, attachments: readonly object[]) => {
    arrived.push(subject);
    const [sent] = await tenant.graph.admin.sendMail({
      to: user.id,
      from: { name: "Broker", address: BROKER },
      subject,
      attachments,
    } as never);
    return sent!;
  };
  return {
    user,
    arrived,
    trades,
    receiveMail: (subject: string) => receive(subject, []),
    async receiveNote(seed: string): Promise<MessageReference> {
      const note = await makeNote({ seed, kind: "buy", language: "en", client: CLIENT.name });
      trades.push(nameOf(note.truth.trades[0]!));
      const file = { name: note.fileName, contentType: "application/pdf", bytes: note.pdf };
      return receive(`Contract note ${seed}`, [file]);
    },
    /** How often the files of a note were asked for. */
    timesRead: (note: MessageReference): number =>
      tenant.journal
        .entries()
        .filter(({ kind }) => kind === "request")
        .filter(({ path }) =>
          String(path).endsWith(`${encodeURIComponent(note.immutableId)}/attachments`),
        ).length,
  };
}

const nameOf = (trade: { quantity: number | null; net: number | null }) =>
  `${trade.quantity} for ${trade.net}`;

/** The trades, once there are this many. */
async function untilTrades(app: App, count: number): Promise<string[]> {
  return until(
    `${count} trades`,
    async () => {
      const trades = await findTrades(app.database, {});
      return trades.length >= count && trades.map((trade) => nameOf(trade.facts)).sort();
    },
    90_000,
  );
}

async function storyOf(app: App): Promise<string[]> {
  const events = await findEvents(app.database, { type: "arrived", limit: 200 });
  return events.map((event) => String(event.subject)).sort();
}
