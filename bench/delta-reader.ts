/** The reading process: one round of one folder and nothing else, so that its memory is that of the round. */
import { systemClock } from "../src/lib/clock.ts";
import { createLog } from "../src/lib/log.ts";
import { type DeltaNeeds, readFolder } from "../src/mailbox/delta/read-folder.ts";
import { findFolders } from "../src/mailbox/folders/folder-table.ts";
import { getMailbox } from "../src/mailbox/mailbox-table.ts";
import { openDatabase } from "../src/store/database.ts";
import { answerParent } from "./child.ts";
import { openGraph } from "./graph-side.ts";

export interface RoundStart {
  readonly databaseUrl: string;
  readonly origin: string;
  readonly mailbox: number;
}

export interface RoundResult {
  readonly messages: number;
  readonly events: number;
  readonly seconds: number;
  /** The largest resident size seen in each tenth of the round's time. */
  readonly rssMb: readonly number[];
}

let needs: DeltaNeeds;
let mailboxId = 0;
let close: () => Promise<unknown> = async () => {};

async function start(given: RoundStart): Promise<void> {
  const database = openDatabase({ url: given.databaseUrl, connections: 12 });
  const side = openGraph(given.origin);
  close = () => Promise.all([database.close(), side.close()]);
  mailboxId = given.mailbox;
  needs = {
    database,
    graphOf: () => side.graph,
    clock: systemClock,
    log: createLog({ level: "error" }),
    followUp: async () => {},
  };
}

async function readRound(): Promise<RoundResult> {
  const mailbox = (await getMailbox(needs.database, mailboxId))!;
  const [folder] = await findFolders(needs.database, mailboxId);
  const samples: number[] = [];
  const sampling = setInterval(() => samples.push(process.memoryUsage.rss()), 50);
  const startedMs = performance.now();
  const report = (await readFolder(needs, mailbox, folder!, "delta"))!;
  const seconds = (performance.now() - startedMs) / 1_000;
  clearInterval(sampling);
  return {
    messages: report.messages,
    events: report.events,
    seconds,
    rssMb: tenths([...samples, process.memoryUsage.rss()]),
  };
}

function tenths(bytes: readonly number[]): number[] {
  const size = Math.ceil(bytes.length / 10);
  const parts = Array.from({ length: 10 }, (_, index) =>
    bytes.slice(index * size, (index + 1) * size),
  );
  return parts
    .filter((part) => part.length > 0)
    .map((part) => Math.round(Math.max(...part) / 2 ** 20));
}

answerParent({ start, readRound }, () => close());
