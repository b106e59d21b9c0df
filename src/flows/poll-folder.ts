/**
 * Contract notes that another program puts into a folder. Who sent them and when stands in the folder's
 * partitions (`sender_email=…/received_date=…`). Each version of each file is taken once; the job's key
 * remembers it, so the folder itself is never changed.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { originOfPolled } from "../archive/archive-source.ts";
import type { FileStore } from "../files/file-store.ts";
import type { JobQueue } from "../jobs/job.ts";
import { sha256Hex } from "../lib/hash.ts";
import type { Log } from "../lib/log.ts";
import { admitPdf } from "../reading/admit-file.ts";
import type { Database } from "../store/database.ts";
import { ingestFile } from "./specs-ingest.ts";

export interface PollNeeds {
  readonly database: Database;
  readonly files: FileStore;
  readonly jobs: JobQueue;
  readonly log: Log;
  readonly folder: string;
}

export interface FolderPoller {
  /** Looks once; answers how many files were put in line. */
  poll(): Promise<number>;
}

export function createFolderPoller(needs: PollNeeds): FolderPoller {
  // Saves reading a file again in this process; after a restart the keys of the jobs do the same.
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

/** A file that is changed is another version of it. Null when it is gone again. */
async function generationOf(folder: string, path: string): Promise<string | null> {
  const found = await stat(join(folder, path)).catch(() => null);
  if (found === null) return null;
  return sha256Hex(`${path}|${found.size}|${found.mtimeMs}`).slice(0, 16);
}

async function takeFile(needs: PollNeeds, path: string, generation: string): Promise<boolean> {
  const origin = originOfPolled({ path, generation });
  if (origin === null) {
    needs.log.warn({ path }, "a polled file says neither who sent it nor when; it is left alone");
    return false;
  }
  const bytes = await readFile(join(needs.folder, path));
  const admitted = admitPdf(basename(path), bytes);
  if (!admitted.ok) {
    needs.log.warn({ path, reason: admitted.reason }, "a polled file is left alone");
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
