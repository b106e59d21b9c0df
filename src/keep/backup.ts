/**
 * A backup of the database in one folder: a file of JSON lines for each table, all from the same moment, and a manifest with
 * counts and hashes. It can be taken while everything runs.
 */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Database, Transaction } from "../store/database.ts";
import {
  beginSnapshot,
  type DumpedTable,
  findMigrations,
  findSequences,
  findTables,
  readRows,
} from "./dump-table.ts";
import { type BackupResult, countOf, fileOf, MANIFEST, type Manifest } from "./manifest.ts";

interface About {
  readonly schemas: readonly string[];
  readonly version: string;
  readonly now: Date;
}

export async function backUp(
  database: Database,
  folder: string,
  about: About,
): Promise<BackupResult> {
  // A second backup beside the first would be taken for a part of it.
  await mkdir(folder, { recursive: false, mode: 0o700 });
  try {
    const manifest = await writeTables(database, folder, about);
    // Written last: a folder without it is not a backup.
    await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
    });
    return countOf(manifest);
  } catch (error) {
    // The same command can be repeated.
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

function writeTables(database: Database, folder: string, about: About): Promise<Manifest> {
  return database.transaction(async (tx): Promise<Manifest> => {
    await beginSnapshot(tx);
    const tables = [];
    for (const table of await findTables(tx, about.schemas))
      tables.push({ ...table, ...(await writeTable(tx, table, join(folder, fileOf(table.name)))) });
    return {
      postroom: about.version,
      takenAt: about.now.toISOString(),
      migrations: await findMigrations(tx),
      tables,
      sequences: await findSequences(tx, about.schemas),
    };
  });
}

async function writeTable(tx: Transaction, table: DumpedTable, file: string) {
  let rowCount = 0;
  const hash = createHash("sha256");
  async function* lines() {
    for await (const rows of readRows(tx, table)) {
      rowCount += rows.length;
      const text = `${rows.join("\n")}\n`;
      hash.update(text);
      yield text;
    }
  }
  await pipeline(Readable.from(lines()), createGzip(), createWriteStream(file, { mode: 0o600 }));
  return { rows: rowCount, sha256: hash.digest("hex") };
}
