import { Secret } from "../lib/redact.ts";

/** Search, analyses and the models behind them. */
export interface AnswerSettings {
  /** Whether filed documents are indexed. */
  readonly indexes: boolean;
  /** Whether a profile follows an upload and a filed mail. */
  readonly profiles: boolean;
  readonly isAnalysisOn: boolean;
  readonly allowsManyDocuments: boolean;
  /** `embedded`, the name of a model at the endpoint, or null for search by words alone. */
  readonly embeddingModel: string | null;
  readonly tokensPerDay: number;
  /** Azure AI Search instead of our own ranking; null without it. */
  readonly azureSearch: {
    readonly endpoint: string;
    readonly apiKey: Secret;
    readonly indexName: string;
  } | null;
  /** For programs that ask for indexing without a user; null refuses them. */
  readonly ragKey: Secret | null;
}

export interface AnswerValues {
  readonly Documents__Search: boolean;
  readonly Documents__Profiles: boolean;
  readonly Analysis__Enabled: boolean;
  readonly Analysis__MultiDocumentEnabled: boolean;
  readonly EMBEDDING_MODEL?: string | undefined;
  readonly MODEL_TOKENS_PER_DAY: number;
  readonly Rag__ApiKey?: string | undefined;
  readonly Search__Endpoint?: string | undefined;
  readonly Search__ApiKey?: string | undefined;
  readonly Search__IndexName: string;
}

export function readAnswers(values: AnswerValues): AnswerSettings {
  return {
    indexes: values.Documents__Search,
    profiles: values.Documents__Profiles,
    isAnalysisOn: values.Analysis__Enabled,
    allowsManyDocuments: values.Analysis__MultiDocumentEnabled,
    embeddingModel: values.EMBEDDING_MODEL ?? null,
    tokensPerDay: values.MODEL_TOKENS_PER_DAY,
    azureSearch:
      values.Search__Endpoint === undefined
        ? null
        : {
            endpoint: values.Search__Endpoint,
            apiKey: new Secret(values.Search__ApiKey!),
            indexName: values.Search__IndexName,
          },
    ragKey: values.Rag__ApiKey === undefined ? null : new Secret(values.Rag__ApiKey),
  };
}
