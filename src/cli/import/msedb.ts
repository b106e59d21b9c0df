/** MSEDB: its events from MongoDB, and the folders that its delta links in Redis name. */
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { compareLinks, linkedFolders } from "../../mailbox/importing/compare-links.ts";
import {
  type EventImport,
  importEvents,
  whyNotYet,
} from "../../mailbox/importing/import-events.ts";
import { MsedbEvent, MsedbMailbox } from "../../mailbox/importing/msedb-rows.ts";
import { getMailboxByAddress, type Mailbox } from "../../mailbox/mailbox-table.ts";
import type { Database } from "../../store/database.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { type Output, plain } from "../base/output.ts";
import { withDatabase } from "../base/with-database.ts";
import { readRows } from "./read-rows.ts";
import { type ImportOptions, runImport, withImportOptions } from "./run-import.ts";

interface Options extends ImportOptions {
  readonly mailboxes: string;
}

/** Their mailboxes by their ids; null if we do not watch one. */
type Mailboxes = ReadonlyMap<string, Mailbox | null>;

export function addMsedb(parent: Command, output: Output): void {
  withImportOptions(parent.command("msedb-events <file>"))
    .description("add the history that MSEDB kept (mongoexport of emailevents, JSON lines)")
    .requiredOption("--mailboxes <file>", "mongoexport of mailboxes, JSON lines")
    .addHelpText(
      "after",
      "\nExample:\n  postroom import msedb-events emailevents.jsonl --mailboxes mailboxes.jsonl --dry-run",
    )
    .action((file: string, options: Options) => takeEvents(file, options, output));
  parent
    .command("msedb-links <file>")
    .description(
      "compare the folders in MSEDB's delta links (Redis keys as one JSON object) with those that Postroom reads",
    )
    .requiredOption("--mailboxes <file>", "mongoexport of mailboxes, JSON lines")
    .option("--json", "print one JSON object per line")
    .addHelpText(
      "after",
      "\nExample:\n  postroom import msedb-links redis.json --mailboxes mailboxes.jsonl",
    )
    .action((file: string, options: Options) => takeLinks(file, options, output));
}

function takeEvents(file: string, options: Options, output: Output): Promise<void> {
  let mailboxes: Mailboxes;
  return runImport(
    {
      file,
      shape: MsedbEvent,
      prepare: async (database) => {
        mailboxes = await readMailboxes(database, options.mailboxes);
        await assertRead(database, mailboxes);
      },
      take: async (tx, rows) => {
        const total = { added: 0, known: 0, ours: 0, contradicted: 0, notWatched: 0 };
        for (const id of new Set(rows.map((row) => row.mailboxId))) {
          const events = rows.filter((row) => row.mailboxId === id);
          const mailbox = mailboxes.get(id) ?? null;
          if (mailbox === null) total.notWatched += events.length;
          else addUp(total, await importEvents(tx, mailbox, events));
        }
        return total;
      },
    },
    options,
    output,
  );
}

function addUp(total: EventImport, more: EventImport): void {
  for (const name of ["added", "known", "ours", "contradicted"] as const) total[name] += more[name];
}

async function readMailboxes(database: Database, file: string): Promise<Mailboxes> {
  const mailboxes = new Map<string, Mailbox | null>();
  for await (const { rows, faults } of readRows(file, MsedbMailbox)) {
    if (faults.length > 0) throw new CommandError(`${file}: ${faults[0]}`, EXIT.usage);
    for (const { _id, email } of rows)
      mailboxes.set(_id, await getMailboxByAddress(database, email));
  }
  return mailboxes;
}

/** Imported history ends where our own events begin, so every mailbox must have been read once. */
async function assertRead(database: Database, mailboxes: Mailboxes): Promise<void> {
  for (const mailbox of mailboxes.values()) {
    if (mailbox === null) continue;
    const reason = await database.transaction((tx) => whyNotYet(tx, mailbox));
    if (reason !== null) throw new CommandError(reason, EXIT.tryLater);
  }
}

async function takeLinks(file: string, options: Options, output: Output): Promise<void> {
  const linked = linkedFolders(await readDump(file));
  if (linked.size === 0)
    throw new CommandError(`${file} has no key of the form delta:MAILBOX:FOLDER`, EXIT.usage);
  const rows = await withDatabase(async (database) => {
    const mailboxes = await readMailboxes(database, options.mailboxes);
    const compared = [...linked].map(async ([id, folders]) => {
      const mailbox = mailboxes.get(id) ?? null;
      if (mailbox === null)
        return folders.map((folderId) => ({
          mailbox: id,
          folderId,
          name: null,
          here: "not watched",
        }));
      const found = await compareLinks(database, mailbox, folders);
      return found.map((one) => ({ mailbox: mailbox.address, ...one }));
    });
    return (await Promise.all(compared)).flat();
  });
  if (options.json) for (const row of rows) output.json(row);
  else
    output.table(
      ["mailbox", "folder", "here", "{id}"],
      rows.map((row) => [plain(row.mailbox), plain(row.name), row.here, plain(row.folderId)]),
    );
  const missing = rows.filter(({ here }) => here !== "read" && here !== "gone").length;
  if (missing > 0)
    throw new CommandError(`folders that MSEDB reads and Postroom does not: ${missing}`);
}

async function readDump(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, "utf8");
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
  } catch {
    // said below
  }
  throw new CommandError(`${file} is not one JSON object of keys and values`, EXIT.usage);
}
