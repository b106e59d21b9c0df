/**
 * Takes contract notes that another program puts into a folder or a bucket. The partitions of the path
 * (`sender_email=…/received_date=…`), or the metadata of an object, say who sent them and when. Each version of each
 * file is taken once; the key of its job ensures that, so the place itself is never changed.
 */
import { basename } from "node:path/posix";
import { originOfPolled } from "../../archive/archive-source.ts";
import type { FileStore } from "../../files/file-store.ts";
import type { JobQueue } from "../../jobs/job.ts";
import type { Log } from "../../lib/log.ts";
import { admitPdf } from "../../reading/admit-file.ts";
import type { Database } from "../../store/database.ts";
import { ingestFile } from "../specs/ingestion.ts";
import type { FileVersion, WatchedPlace } from "./watched-place.ts";

export interface PollNeeds {
  readonly database: Database;
  readonly files: FileStore;
  readonly jobs: JobQueue;
  readonly log: Log;
  readonly place: WatchedPlace;
}

export interface Poller {
  /** Looks once; returns how many files it queued. */
  poll(): Promise<number>;
}

export function createPoller(needs: PollNeeds): Poller {
  // Avoids reading a file twice in this process; after a restart the keys of the jobs prevent duplicates.
  const seen = new Set<string>();
  return {
    async poll() {
      let taken = 0;
      for await (const path of needs.place.list()) {
        const version = await needs.place.versionOf(path);
        if (version === null || seen.has(version.key)) continue;
        if (await takeFile(needs, path, version)) taken += 1;
        seen.add(version.key);
      }
      return taken;
    },
  };
}

async function takeFile(needs: PollNeeds, path: string, version: FileVersion): Promise<boolean> {
  const { generation, key, metadata } = version;
  const origin = originOfPolled({ path, generation, ...(metadata ? { metadata } : {}) });
  if (origin === null) {
    needs.log.warn({ path }, "skipping a polled file: its path gives no sender and date");
    return false;
  }
  const bytes = await needs.place.read(path);
  if (bytes === null) return false;
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
        idempotencyKey: `poller-${key}`,
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
