/** Search, questions and the models behind them. */
export interface AnswerSettings {
  /** Whether filed documents are indexed. */
  readonly indexes: boolean;
  /** `embedded`, the name of a model at the endpoint, or null for search by words alone. */
  readonly embeddingModel: string | null;
  readonly tokensPerDay: number;
}

export interface AnswerValues {
  readonly Documents__Search: boolean;
  readonly EMBEDDING_MODEL?: string | undefined;
  readonly MODEL_TOKENS_PER_DAY: number;
}

export function readAnswers(values: AnswerValues): AnswerSettings {
  return {
    indexes: values.Documents__Search,
    embeddingModel: values.EMBEDDING_MODEL ?? null,
    tokensPerDay: values.MODEL_TOKENS_PER_DAY,
  };
}
