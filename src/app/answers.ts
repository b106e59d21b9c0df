/** Wires search, questions and analyses over filed documents. */
import {
  createEmbeddingMeter,
  createPersonalModel,
  type PersonalModel,
} from "../analysis/budgeted-model.ts";
import type { Config } from "../config.ts";
import {
  type AnalyseJob,
  aiAnalyzeHandler,
  analyseDocument,
} from "../flows/analysis/analyse-document.ts";
import { createAnalyses } from "../flows/analysis/analyses.ts";
import { askDocuments } from "../flows/documents/ask-documents.ts";
import { findRecords } from "../flows/documents/find-records.ts";
import { followDocumentsHandler } from "../flows/documents/follow-documents.ts";
import { type IndexNeeds, indexDocumentHandler } from "../flows/documents/index-document.ts";
import { createRag } from "../flows/documents/rag.ts";
import { searchChunks } from "../flows/documents/search-chunks.ts";
import { searchDocuments } from "../flows/documents/search-documents.ts";
import { suggestDocuments } from "../flows/documents/suggest-documents.ts";
import type { Analyses } from "../flows/specs/analysis.ts";
import type { Rag } from "../flows/specs/rag.ts";
import { followDocuments, type Searches } from "../flows/specs/search.ts";
import type { JobHandler } from "../jobs/handler.ts";
import type { JobQueue } from "../jobs/job.ts";
import type { JobOutcome } from "../jobs/outcome.ts";
import type { Schedule } from "../jobs/upkeep/schedule.ts";
import { createHttp } from "../lib/http.ts";
import { createEmbeddedEmbedder } from "../models/embedded-embedder.ts";
import type { Embedder } from "../models/embedder.ts";
import { createEndpointEmbedder } from "../models/endpoint-embedder.ts";
import { openModel } from "../models/model.ts";
import type { TextReader } from "../reading/read-text.ts";
import { type AzureIndexNeeds, createAzureIndex } from "../search/azure/azure-index.ts";
import { createAzureSearch } from "../search/azure/azure-search.ts";
import { createIndexCopy } from "../search/azure/index-copy.ts";
import { createIndexSchema } from "../search/azure/index-schema.ts";
import { createVectorUpkeep } from "../search/embed-chunks.ts";
import { forgetCopies } from "../search/indexed-document-table.ts";
import { createSearchIndex } from "../search/search-index.ts";
import { createVectorIndex } from "../search/vector-index.ts";
import type { Documents } from "./documents.ts";
import type { Closers, Foundation } from "./foundation.ts";
import { lateQueue } from "./late-queue.ts";
import { modelSettings } from "./model-settings.ts";

export interface Answers {
  readonly searches: Searches;
  readonly analyses: Analyses;
  readonly rag: Rag;
  /** For programs that ask for indexing without a user. */
  readonly ragKey: Config["answers"]["ragKey"];
  readonly tenantId: string;
  readonly index: IndexNeeds;
  /** Analyses a document as the app. */
  readonly analyse: (job: AnalyseJob, signal: AbortSignal) => Promise<JobOutcome>;
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
  const jobs = lateQueue(queue);
  const embedder = openEmbedder(base);
  const vectors = embedder === null ? null : createVectorIndex(database, embedder);
  const onVectorFailure = (error: unknown) =>
    log.warn({ err: error }, "a search could not compare meanings");
  const ownIndex = createSearchIndex({ database, clock, vectors, onVectorFailure });
  const azure = openAzureSearch(
    config,
    { database, embedder, own: ownIndex, onVectorFailure },
    closers,
  );
  const index = azure === null ? ownIndex : createAzureIndex(azure);
  closers.push(index.close, async () => embedder?.close());
  const settings = modelSettings(config);
  const model =
    settings === null
      ? null
      : createPersonalModel(openModel({ ...settings, clock }), { database, ...config.answers });
  const needs = {
    database,
    index,
    actors,
    tenantId,
    log,
    askModel: model === null ? null : model.ask,
  };
  const analysing = {
    database,
    actors,
    texts,
    model,
    tenantId,
    jobs,
    clock,
    log,
    uploads: documents.uploads,
    random: base.random,
    app: actors.app,
  };
  const indexing: IndexNeeds = {
    database,
    texts,
    embedder,
    tenantId,
    jobs,
    clock,
    log,
    app: actors.app,
    copy: azure === null ? null : createIndexCopy(azure),
    profiles: config.answers.profiles,
  };
  return {
    model,
    index: indexing,
    analyse: (job, signal) => analyseDocument(analysing, job, signal),
    searches: {
      search: (caller, request, signal) => searchDocuments(needs, caller, request, signal),
      searchChunks: (caller, request, signal) => searchChunks(needs, caller, request, signal),
      ask: (caller, request, signal) => askDocuments(needs, caller, request, signal),
      suggest: (caller, text, limit, signal) =>
        suggestDocuments(needs, caller, text, limit, signal),
      records: (rights, query, limit) => findRecords(database, rights, query, limit),
    },
    rag: createRag({ ...indexing, random: base.random }),
    ragKey: config.answers.ragKey,
    tenantId,
    analyses: createAnalyses(analysing, config.answers),
    handlers: [
      indexDocumentHandler(indexing),
      followDocumentsHandler({
        ...indexing,
        vectors: embedder === null ? null : createVectorUpkeep(database, embedder),
      }),
      aiAnalyzeHandler(analysing),
    ] as JobHandler[],
    schedules: config.answers.indexes
      ? ([
          { name: "follow-documents", spec: followDocuments, payload: {}, rule: "every 1m" },
        ] as Schedule[])
      : [],
  };
}

function openAzureSearch(
  config: Config,
  needs: Omit<AzureIndexNeeds, "azure" | "schema">,
  closers: Closers,
): AzureIndexNeeds | null {
  const settings = config.answers.azureSearch;
  if (settings === null) return null;
  const http = createHttp({
    allowedOrigins: [settings.endpoint],
    unavailable: "search.unavailable",
  });
  closers.push(http.close);
  const azure = createAzureSearch({ ...settings, apiKey: settings.apiKey.reveal() }, http);
  return { ...needs, azure, schema: createIndexSchema(azure, () => forgetCopies(needs.database)) };
}

function openEmbedder({ config, database, clock }: Foundation): Embedder | null {
  const { embeddingModel: name, tokensPerDay } = config.answers;
  if (name === null) return null;
  if (name === "embedded") return createEmbeddedEmbedder();
  const meter = createEmbeddingMeter(name, { database, tokensPerDay });
  return createEndpointEmbedder({ ...modelSettings(config)!, model: name, clock }, meter);
}
