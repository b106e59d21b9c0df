/**
 * Takes contract notes that another program puts into a folder. The folder's partitions
 * (`sender_email=…/received_date=…`) say who sent them and when. Each version of each file is taken once; the
 * key of its job ensures that, so the folder itself is never changed.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { originOfPolled } from "../../archive/archive-source.ts";
import type { FileStore } from "../../files/file-store.ts";
import type { JobQueue } from "../../jobs/job.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { Log } from "../../lib/log.ts";
import { admitPdf } from "../../reading/admit-file.ts";
import type { Database } from "../../store/database.ts";
import { ingestFile } from "../specs/ingestion.ts";

export interface PollNeeds {
  readonly database: Database;
  readonly files: FileStore;
  readonly jobs: JobQueue;
  readonly log: Log;
  readonly folder: string;
}

export interface FolderPoller {
  /** Looks once; returns how many files it queued. */
  poll(): Promise<number>;
}

export function createFolderPoller(needs: PollNeeds): FolderPoller {
  // Avoids reading a file twice in this process; after a restart the keys of the jobs prevent duplicates.
  const seen = new Set<string>();
  return {
    async poll() {
      let taken = 0;
      for (const path of await findFiles(needs.folder)) {
        const generation = await generationOf(needs.folder, path);
        if (generation === null || seen.has(generation)) continue;
        if (await takeFile(needs, path, generation)) taken += 1;
        seen.add(generation);
      }
      return taken;
    },
  };
}

async function findFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** A changed file is a new version. Null if the file is gone. */
async function generationOf(folder: string, path: string): Promise<string | null> {
  const found = await stat(join(folder, path)).catch(() => null);
  if (found === null) return null;
  return sha256Hex(`${path}|${found.size}|${found.mtimeMs}`).slice(0, 16);
}

async function takeFile(needs: PollNeeds, path: string, generation: string): Promise<boolean> {
  const origin = originOfPolled({ path, generation });
  if (origin === null) {
    needs.log.warn({ path }, "skipping a polled file: its path gives no sender and date");
    return false;
  }
  const bytes = await readFile(join(needs.folder, path));
  const admitted = admitPdf(basename(path), bytes);
  if (!admitted.ok) {
    needs.log.warn({ path, reason: admitted.reason }, "skipping a polled file");
    return false;
  }
  const { id: sha256 } = await needs.files.put(bytes);
  await needs.database.transaction((tx) =>
    needs.jobs.add(tx, ingestFile, [
      {
        subjectId: sha256,
        idempotencyKey: `poller-${generation}`,
        payload: {
          sha256,
          filename: admitted.file.name,
          source: "poller",
          senderEmail: origin.senderEmail,
          receivedAt: origin.receivedDate.toISOString(),
          generation,
        },
      },
    ]),
  );
  return true;
}
