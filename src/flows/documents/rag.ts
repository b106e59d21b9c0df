/** What other programs may ask of the index; people are checked by the routes. */

import { documentIndexKey } from "../../jobs/job-keys.ts";
import { releaseKey } from "../../jobs/job-table.ts";
import type { Random } from "../../lib/random.ts";
import { forgetFeedLink } from "../../search/document-feed-table.ts";
import { removeChunk } from "../../search/write-index.ts";
import type { Rag } from "../specs/rag.ts";
import { followDocuments, indexDocument } from "../specs/search.ts";
import { dropFromIndex, type IndexNeeds, indexOne, readRecord } from "./index-document.ts";

export function createRag(needs: IndexNeeds & { readonly random: Random }): Rag {
  const { database, jobs, embedder, random } = needs;
  return {
    index: (documentId, signal) => indexOne(needs, documentId, signal),
    async enqueue(documentId, ownerId) {
      const record = await readRecord(needs, documentId);
      if (record === null) return null;
      const { version } = record;
      const idempotencyKey = documentIndexKey(documentId, version);
      const job = { subjectId: documentId, idempotencyKey, ownerId };
      const [jobId] = await database.transaction((tx) =>
        jobs.add(tx, indexDocument, [{ ...job, payload: { documentId, version } }]),
      );
      return { jobId: jobId!, idempotencyKey };
    },
    async enqueueAll(ownerId) {
      const job = { subjectId: "all", idempotencyKey: `bulk-index-${random.uuid()}`, ownerId };
      const [jobId] = await database.transaction(async (tx) => {
        // Without the link the next round reads every document.
        await forgetFeedLink(tx);
        return jobs.add(tx, followDocuments, [{ ...job, payload: {} }]);
      });
      return jobId!;
    },
    async fileOf(documentId) {
      const record = await readRecord(needs, documentId);
      return record === null ? null : record.facts;
    },
    embed:
      embedder === null
        ? null
        : async (text, personId, signal) => {
            const [vector] = await embedder.embed([text], { personId, signal });
            return { model: embedder.name, vector: [...vector!] };
          },
    async removeChunk(chunkId) {
      const isGone = await removeChunk(database, needs.tenantId, chunkId);
      if (isGone) await needs.copy?.removeChunk(chunkId);
      return isGone;
    },
    async removeDocument(documentId) {
      const record = await readRecord(needs, documentId);
      const count = await dropFromIndex(needs, documentId);
      if (record !== null) {
        const key = documentIndexKey(documentId, record.version);
        await releaseKey(database, indexDocument.type, key);
      }
      return count;
    },
  };
}
