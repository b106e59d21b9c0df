import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Fault } from "../lib/fault.ts";
import type { Database } from "../store/database.ts";
import {
  beginRestore,
  clearTable,
  findMigrations,
  findTables,
  hasContent,
  setSequence,
  writeRows,
} from "./dump-table.ts";
import { type BackupResult, countOf, fileOf, MANIFEST, type Manifest } from "./manifest.ts";

/** Puts a backup into an unused database; all of it or nothing. A dry run only checks the files. */
export async function restore(
  database: Database,
  folder: string,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<BackupResult> {
  const manifest = JSON.parse(await readFile(join(folder, MANIFEST), "utf8")) as Manifest;
  const here = await findMigrations(database);
  if (JSON.stringify(here) !== JSON.stringify(manifest.migrations))
    throw new Fault(
      "settings.bad",
      `this backup was made by Postroom ${manifest.postroom}, whose database has other tables; restore it with that version, then upgrade`,
    );
  if (await hasContent(database))
    throw new Fault("settings.bad", "this database is not empty; restore into a new one");
  const tables = new Map(
    (await findTables(database, schemasOf(manifest))).map((table) => [table.name, table]),
  );
  await database.transaction(async (tx) => {
    if (!isDryRun) await beginRestore(tx);
    for (const table of manifest.tables) {
      const known = tables.get(table.name);
      if (known === undefined) throw damaged(`there is no table ${table.name}`);
      if (!isDryRun) await clearTable(tx, known);
      await readTable(join(folder, fileOf(table.name)), table, async (rows) => {
        if (!isDryRun) await writeRows(tx, known, rows);
      });
    }
    if (!isDryRun) for (const state of manifest.sequences) await setSequence(tx, state);
  });
  return countOf(manifest);
}

const schemasOf = ({ tables }: Manifest): string[] => [
  ...new Set(tables.map(({ name }) => name.split(".")[0]!.replaceAll('"', ""))),
];

const ROWS_AT_ONCE = 500;

/** Passes on the lines of a table, and throws if they are not the ones that were written. */
async function readTable(
  file: string,
  table: Manifest["tables"][number],
  take: (rows: readonly string[]) => Promise<void>,
): Promise<void> {
  const hash = createHash("sha256");
  let count = 0;
  let batch: string[] = [];
  try {
    await pipeline(createReadStream(file), createGunzip(), async (unpacked) => {
      for await (const line of linesOf(unpacked)) {
        hash.update(`${line}\n`);
        count += 1;
        batch.push(line);
        if (batch.length < ROWS_AT_ONCE) continue;
        await take(batch);
        batch = [];
      }
    });
  } catch (error) {
    if (!isOfFile(error)) throw error;
    throw damaged(`${file} cannot be read`);
  }
  if (batch.length > 0) await take(batch);
  if (count !== table.rows || hash.digest("hex") !== table.sha256)
    throw damaged(`${file} is not what was written`);
}

/** True if the file is missing, unreadable or not a gzip file; errors of the database pass through. */
function isOfFile(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "EACCES" || code.startsWith("Z_");
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== "") yield rest;
}

const damaged = (what: string): Fault =>
  new Fault("settings.bad", `the backup is damaged or incomplete: ${what}`);
