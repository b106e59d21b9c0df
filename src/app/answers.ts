/** Wires search, questions and analyses over filed documents. */
import { createPersonalModel, type PersonalModel } from "../analysis/budgeted-model.ts";
import type { Config } from "../config.ts";
import { askDocuments } from "../flows/documents/ask-documents.ts";
import { findRecords } from "../flows/documents/find-records.ts";
import { followDocumentsHandler } from "../flows/documents/follow-documents.ts";
import { type IndexNeeds, indexDocumentHandler } from "../flows/documents/index-document.ts";
import { searchDocuments } from "../flows/documents/search-documents.ts";
import { suggestDocuments } from "../flows/documents/suggest-documents.ts";
import { followDocuments, type Searches } from "../flows/specs/search.ts";
import type { JobHandler } from "../jobs/handler.ts";
import type { JobQueue } from "../jobs/job.ts";
import type { Schedule } from "../jobs/upkeep/schedule.ts";
import { createEmbeddedEmbedder } from "../models/embedded-embedder.ts";
import type { Embedder } from "../models/embedder.ts";
import { createEndpointEmbedder } from "../models/endpoint-embedder.ts";
import { openModel } from "../models/model.ts";
import type { TextReader } from "../reading/read-text.ts";
import { createSearchIndex } from "../search/search-index.ts";
import { createVectorIndex } from "../search/vector-index.ts";
import type { Documents } from "./documents.ts";
import type { Closers, Foundation } from "./foundation.ts";
import { modelSettings } from "./model-settings.ts";

export interface Answers {
  readonly searches: Searches;
  readonly index: IndexNeeds;
  /** Null without a model. */
  readonly model: PersonalModel | null;
  readonly handlers: readonly JobHandler[];
  readonly schedules: readonly Schedule[];
}

/** Null if documents are not configured. */
export function createAnswers(
  base: Foundation,
  documents: Documents | null,
  texts: TextReader,
  queue: () => JobQueue,
  closers: Closers,
): Answers | null {
  if (documents === null) return null;
  const { database, clock, log, config } = base;
  const { actors } = documents;
  const { tenantId } = documents.settings;
  const jobs: JobQueue = { add: (tx, spec, given) => queue().add(tx, spec, given) };
  const embedder = openEmbedder(config);
  const vectors = embedder === null ? null : createVectorIndex(database, embedder);
  const index = createSearchIndex({
    ...{ database, clock, vectors },
    onVectorFailure: (error) => log.warn({ err: error }, "a search compared no meanings"),
  });
  closers.push(index.close, async () => embedder?.close());
  const settings = modelSettings(config);
  const model =
    settings === null
      ? null
      : createPersonalModel(openModel(settings), { database, ...config.answers });
  const needs = {
    ...{ database, index, actors, tenantId, log },
    askModel: model === null ? null : model.ask,
  };
  const indexing: IndexNeeds = {
    ...{ database, texts, embedder, tenantId, jobs, clock, log },
    app: actors.app,
  };
  return {
    model,
    index: indexing,
    searches: {
      search: (caller, request, signal) => searchDocuments(needs, caller, request, signal),
      ask: (caller, request, signal) => askDocuments(needs, caller, request, signal),
      suggest: (caller, text, limit, signal) =>
        suggestDocuments(needs, caller, text, limit, signal),
      records: (rights, query, limit) => findRecords(database, rights, query, limit),
    },
    handlers: [indexDocumentHandler(indexing), followDocumentsHandler(indexing)] as JobHandler[],
    schedules: config.answers.indexes
      ? ([
          { name: "follow-documents", spec: followDocuments, payload: {}, rule: "every 1m" },
        ] as Schedule[])
      : [],
  };
}

function openEmbedder(config: Config): Embedder | null {
  const name = config.answers.embeddingModel;
  if (name === null) return null;
  if (name === "embedded") return createEmbeddedEmbedder();
  return createEndpointEmbedder({ ...modelSettings(config)!, model: name });
}
