/** What the page of events holds after a collection: with a large log, and after a day of live events. */
import type { Page } from "playwright-core";
import { placeEvents } from "../../src/mailbox/events/event-feed-table.ts";
import type { Database } from "../../src/store/database.ts";
import { type Figure, note, round } from "../harness.ts";
import { aPage, pause, type Scene } from "./scene.ts";

/** With a hundred times the events, or at the end of the day, the page may hold this much more. */
const HEAP_RATIO_MAX = 1.2;
/** One event every second: the tail keeps 2,000 rows of them. */
const DAY_EVENTS = 86_400;
const DAY_MS = 24 * 60 * 60 * 1_000;
const CHUNK = 4_320;
/** So many chunks fill the memory of the tail. */
const FULL_AFTER = 2;
const PORTION = 20_000;
/** What the page keeps, however many events there are. */
const ROWS_KEPT = 2_000;

/** The page of events after its reader has scrolled to the end of what it keeps. */
export async function measureHeap(scene: Scene, isQuick: boolean): Promise<Figure[]> {
  const [few, many] = isQuick ? [3_000, 10_000] : [10_000, 1_000_000];
  await fillEvents(scene.database, few);
  const small = await heapOfEvents(scene);
  await fillEvents(scene.database, many);
  const large = await heapOfEvents(scene);
  note(`  ${few} events ${mb(small)}, ${many} events ${mb(large)}`);
  const ratio = large / small;
  return [
    {
      ...{ bench: "console", case: `heap with ${many.toLocaleString("en")} events`, unit: "MB" },
      ...{ ours: round(large / 1e6, 1), theirs: round(small / 1e6, 1), ratio: round(ratio, 2) },
      against: `with ${few.toLocaleString("en")} events`,
      ...{ spread: null, floor: HEAP_RATIO_MAX, isLimit: true, holds: ratio <= HEAP_RATIO_MAX },
    },
  ];
}

/** One every eight seconds until there are so many; in portions, since readers see an event once it is in the feed. */
async function fillEvents(database: Database, count: number): Promise<void> {
  const { rows } = await database.query<{ id: number; owner: string }>(
    "SELECT id, graph_user_id AS owner FROM postroom.mailbox ORDER BY id LIMIT 1",
  );
  const [mailbox] = rows;
  for (let from = 0; from < count; from += PORTION) {
    await database.query(
      `INSERT INTO postroom.event (user_id, mailbox, message_id, event_type, change, at, seen_by, seen_at, folder_id,
         folder_name, is_read, flag, categories, received_at, subject, sender_name, sender_email, importance,
         has_attachments, has_list_unsubscribe, is_automated)
       SELECT $1, $2, 'bench-' || n, 'arrived', '', seen, 'push', seen, 'inbox', 'Inbox', false, 'notFlagged', '{}',
         seen, 'Statement number ' || n, 'A sender', 'sender' || n % 100 || '@broker.example', 'normal', false, false, false
         FROM generate_series($3::int + 1, $4::int) n, LATERAL (SELECT now() - ($5::int - n) * interval '8 s') t (seen)
         ON CONFLICT DO NOTHING`,
      [mailbox!.owner, mailbox!.id, from, Math.min(count, from + PORTION), count],
    );
    await placeEvents(database);
  }
}

async function heapOfEvents(scene: Scene): Promise<number> {
  const page = await aPage(scene);
  await page.goto(`${scene.url}/events`);
  await page.locator("[data-row]").first().waitFor();
  const table = page.getByRole("table", { name: "Events" });
  const count = () => table.getAttribute("aria-rowcount").then(Number);
  for (let rows = await count(); rows < ROWS_KEPT; rows = await count()) {
    await page.evaluate("document.querySelector('[role=table]').scrollTo(0, 1e9)");
    await pause();
  }
  const bytes = await heapOf(page);
  await page.context().close();
  return bytes;
}

/**
 * A day of events through the tail: what is held once its memory is full, and at the end of the day. The clock of the
 * page moves on with each chunk, so that its timers, its tokens and its stream live through a day as well.
 */
export async function measureDay(scene: Scene, isQuick: boolean): Promise<Figure> {
  const chunks = isQuick ? 4 : DAY_EVENTS / CHUNK;
  const page = await aPage(scene);
  await page.clock.install();
  const tail = await serveChunks(page, chunks);
  await page.goto(`${scene.url}/events`);
  let early = 0;
  for (let chunk = 1; chunk <= chunks; chunk++) {
    await tail.untilRead(chunk);
    if (chunk === FULL_AFTER) early = await heapOf(page);
  }
  await page.getByRole("button", { name: /new events$/ }).waitFor();
  const late = await heapOf(page);
  const [few, all] = [FULL_AFTER * CHUNK, chunks * CHUNK];
  note(`  after ${few} events ${mb(early)}, after ${all} ${mb(late)}`);
  await page.context().close();
  const ratio = late / early;
  return {
    ...{ bench: "console", case: "heap after a day of live tail", unit: "MB" },
    ...{ ours: round(late / 1e6, 1), theirs: round(early / 1e6, 1), ratio: round(ratio, 2) },
    against: `after ${few.toLocaleString("en")} of ${all.toLocaleString("en")} events`,
    ...{ spread: null, floor: HEAP_RATIO_MAX, isLimit: true, holds: ratio <= HEAP_RATIO_MAX },
  };
}

/** The first calls of the tail get a chunk each; the page asks again once it has read one, after a pause. */
async function serveChunks(page: Page, chunks: number) {
  let calls = 0;
  await page.route("**/api/events/tail**", async (route) => {
    calls += 1;
    if (calls > chunks) return route.continue();
    const from = calls * CHUNK;
    const body = Array.from({ length: CHUNK }, (_, at) => sseOf(10_000_000 + from + at)).join("");
    return route.fulfill({ status: 200, contentType: "text/event-stream", body });
  });
  return {
    async untilRead(count: number): Promise<void> {
      while (calls < count) await pause();
      await page.getByRole("button", { name: /new events$/ }).waitFor();
      await page.clock.fastForward((CHUNK / DAY_EVENTS) * DAY_MS);
      while (calls <= count) await pause();
    },
  };
}

function sseOf(seq: number): string {
  const event = {
    ...{ seq, id: String(seq), messageId: `tail-${seq}`, eventType: "arrived", seenBy: "push" },
    ...{
      mailbox: "operations@ashdown.example",
      subject: `Event number ${seq}`,
      folderName: "Inbox",
    },
    sender: { name: "A sender", email: "sender@broker.example" },
    ...{ at: new Date(0).toISOString(), seenAt: new Date(0).toISOString() },
  };
  return `id: ${seq}\nevent: event\ndata: ${JSON.stringify(event)}\n\n`;
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  for (let pass = 0; pass < 3; pass++) await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
