/** What other programs may do with the index, one document at a time. The text always comes from the document itself. */
import type { IndexResult } from "./search.ts";

export interface Rag {
  /** Brings the index up to date with one document, as the app. */
  index(documentId: string, signal?: AbortSignal): Promise<IndexResult>;
  /** Adds a job that does so; null if there is no such document. */
  enqueue(documentId: string, ownerId: string | null): Promise<QueuedIndexing | null>;
  /** Adds a job that compares all documents with the index. */
  enqueueAll(ownerId: string): Promise<string>;
  /** The file that a record names; null if there is no such record. */
  fileOf(documentId: string): Promise<{ driveId: string | null; itemId: string | null } | null>;
  /** Counts against the person's budget. Null if no embedding model is set. */
  readonly embed:
    | ((text: string, personId: string, signal?: AbortSignal) => Promise<Embedding>)
    | null;
  /** False if there is no such chunk. */
  removeChunk(chunkId: string): Promise<boolean>;
  /** Returns the number of chunks that it removed; null if the document was not in the index. */
  removeDocument(documentId: string): Promise<number | null>;
}

export interface QueuedIndexing {
  readonly jobId: string;
  readonly idempotencyKey: string;
}

export interface Embedding {
  readonly model: string;
  readonly vector: readonly number[];
}
