/** Search and its jobs, as doors know them. */
import * as z from "zod";
import type { Sender } from "../../filing/actors.ts";
import { defineJob } from "../../jobs/job.ts";

/** Reads a document and brings the index up to date. Its key is `doc-{documentId}-v{rowVersion}`. */
export const indexDocument = defineJob({
  type: "document-processing",
  queue: "documents",
  jobsPerMessageMax: 1,
  stage: "indexing",
  payload: z.object({
    documentId: z.guid(),
    /** The row version that caused the job; null if it is not known. */
    version: z.string().nullable(),
  }),
  maxAttempts: 5,
});

/** Finds documents that were changed or deleted in Dataverse since the last time. */
export const followDocuments = defineJob({
  type: "follow-documents",
  queue: "maintenance",
  jobsPerMessageMax: 1,
  payload: z.object({}),
});

/** What became of a document's place in the index. */
export type IndexResult =
  | { readonly kind: "gone" }
  | { readonly kind: "unchanged"; readonly chunks: number }
  | {
      readonly kind: "indexed";
      readonly chunks: number;
      readonly tookMs: number;
      /** Why there is no text. */
      readonly reason: string | null;
    };

export interface SearchRequest {
  readonly query: string;
  readonly mode?: "hybrid" | "text" | "vector" | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly parentType?: string | undefined;
  readonly parentId?: string | undefined;
  readonly sender?: string | undefined;
  readonly mailbox?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly documentIds?: readonly string[] | undefined;
  readonly limit: number;
  /** Results to skip. */
  readonly offset: number;
}

export interface FoundPassage {
  readonly chunkId: string;
  readonly text: string;
  /** Places of the matching words in the text: start and end. */
  readonly highlights: [number, number][];
  readonly page: number | null;
  /** The name of a sheet, or the subject of a message inside a message. */
  readonly label: string | null;
  readonly box: { x: number; y: number; width: number; height: number } | null;
  readonly link: string | null;
  readonly score: number;
}

export interface FoundDocument {
  readonly documentId: string;
  readonly name: string;
  readonly kind: string | null;
  readonly parent: { type: string; id: string; name: string | null } | null;
  readonly sender: string | null;
  readonly date: string | null;
  readonly language: string;
  readonly link: string | null;
  readonly score: number;
  readonly passages: FoundPassage[];
}

export interface SearchAnswer {
  readonly query: string;
  readonly results: FoundDocument[];
  /** Of documents that the caller may read; `isMore` if there may be more than that. */
  readonly count: { readonly documents: number; readonly isMore: boolean };
  readonly facets: {
    readonly kind: Record<string, number>;
    readonly parent: {
      type: string | null;
      id: string;
      name: string | null;
      documents: number;
    }[];
  };
  readonly next: number | null;
  /** Words that none of these documents contains as typed. */
  readonly missing: readonly string[];
  /** What did not work, in words; null if all of it did. */
  readonly degraded: string | null;
}

export interface FoundChunk {
  readonly id: string;
  readonly documentId: string;
  readonly fileName: string;
  readonly fileType: string | null;
  readonly chunkIndex: number;
  readonly chunkCount: number;
  readonly content: string;
  readonly score: number;
  readonly parentEntityType: string | null;
  readonly parentEntityId: string | null;
  readonly parentEntityName: string | null;
}

export interface Citation {
  readonly documentId: string;
  readonly name: string;
  readonly chunkId: string;
  readonly page: number | null;
  readonly label: string | null;
  /** They occur in the document exactly like this. */
  readonly words: string;
  readonly link: string | null;
}

export interface AskAnswer {
  readonly question: string;
  readonly answer: string;
  /** `model` wrote the answer, `quotes` are the best passages, `none` is an answer without evidence. */
  readonly kind: "model" | "quotes" | "none";
  readonly citations: Citation[];
  /** Words of the question that none of the documents contains as typed. */
  readonly missing: readonly string[];
  readonly degraded: string | null;
}

/** Mail, a note, a trade or a question, found by its words. */
export interface FoundRecord {
  readonly type: "mail" | "note" | "trade" | "review";
  readonly id: string;
  readonly title: string;
  readonly detail: string | null;
  readonly date: string | null;
}

/** What of these a person may see. */
export interface RecordRights {
  /** Whose own mailboxes are searched. */
  readonly personId: string;
  readonly seesAllMail: boolean;
  /** Trades, notes and questions. */
  readonly seesTrades: boolean;
}

export interface Suggestion {
  readonly type: "document" | "parent";
  readonly id: string;
  readonly text: string;
}

/** A search is not a job, because the caller waits; so `src/app/` passes these functions to the routes. */
export interface Searches {
  search(caller: Sender, request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>;
  /** The best chunks with their whole text. */
  searchChunks(
    caller: Sender,
    request: Omit<SearchRequest, "offset"> & { readonly minScore: number },
    signal?: AbortSignal,
  ): Promise<{ readonly results: FoundChunk[]; readonly degraded: string | null }>;
  ask(
    caller: Sender,
    request: Omit<SearchRequest, "query" | "limit" | "offset"> & { readonly question: string },
    signal?: AbortSignal,
  ): Promise<AskAnswer>;
  suggest(caller: Sender, text: string, limit: number, signal?: AbortSignal): Promise<Suggestion[]>;
  records(rights: RecordRights, query: string, limit: number): Promise<FoundRecord[]>;
}
