/** Adds the job that indexes a filed document. */
import type { Actor } from "../../filing/actors.ts";
import type { AfterFiling } from "../../filing/finish-filing.ts";
import { RECORDS } from "../../filing/record.ts";
import type { JobQueue } from "../../jobs/job.ts";
import { documentIndexKey } from "../../jobs/job-keys.ts";
import type { Log } from "../../lib/log.ts";
import { indexDocument } from "../specs/search.ts";

export function afterFiling(needs: {
  readonly app: Actor;
  readonly queue: () => JobQueue;
  readonly log: Log;
}): AfterFiling {
  return {
    async versionOf(id) {
      try {
        const path = `${RECORDS}(${id})?$select=sprk_documentid`;
        const row = await needs.app.dataverse.get<{ "@odata.etag"?: string }>(path);
        return /\d+/.exec(row?.["@odata.etag"] ?? "")?.[0] ?? null;
      } catch (error) {
        // The file is filed; only the key of the job loses its version.
        needs.log.warn({ documentId: id, err: error }, "the version of a record cannot be read");
        return null;
      }
    },
    async add(tx, { id, sha256, changedAt }, version) {
      const known = version ?? `${sha256 ?? ""}-${changedAt.getTime()}`;
      await needs.queue().add(tx, indexDocument, [
        {
          subjectId: id,
          idempotencyKey: documentIndexKey(id, known),
          payload: { documentId: id, version },
        },
      ]);
    },
  };
}
