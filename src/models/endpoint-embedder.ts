import { Fault } from "../lib/fault.ts";
import type { Embedder, EmbeddingMeter } from "./embedder.ts";
import { clientOf, type ModelSettings, patienceOf, TIMEOUT_MS } from "./model.ts";

/** Longer texts are truncated: most models read about 8,000 tokens. */
const TEXT_LENGTH_MAX = 20_000;
const DIMENSIONS_MAX = 8_192;

const LETTERS_PER_TOKEN = 4;
/** Somebody waits for the answer to a question; a model that needs longer is left out. */
const QUESTION_MS_MAX = 5_000;

/** Vectors from an OpenAI-compatible endpoint, Azure OpenAI or Ollama. */
export function createEndpointEmbedder(
  settings: ModelSettings,
  meter: EmbeddingMeter | null = null,
): Embedder {
  return {
    name: settings.model,
    languages: null,
    cosineMin: 0.2,
    weight: 1,
    split: null,
    async embed(texts, { signal, personId } = {}) {
      if (texts.length === 0) return [];
      await meter?.assertLeft(personId);
      const input = texts.map((text) => text.slice(0, TEXT_LENGTH_MAX));
      const timeoutMs = Math.min(settings.timeoutMs ?? TIMEOUT_MS, QUESTION_MS_MAX);
      const patient = personId === undefined ? settings : { ...settings, timeoutMs };
      try {
        const { vectors, tokens } = await askForVectors(patient, input, signal);
        // Some endpoints do not say what they read.
        const estimated = Math.ceil(input.join("").length / LETTERS_PER_TOKEN);
        await meter?.record(personId, { tokens: tokens ?? estimated, hasFailed: false });
        return vectors;
      } catch (error) {
        await meter?.record(personId, { tokens: 0, hasFailed: true });
        throw error;
      }
    },
    close: async () => {},
  };
}

async function askForVectors(
  settings: ModelSettings,
  input: string[],
  signal: AbortSignal | undefined,
): Promise<{ vectors: Float32Array[]; tokens: number | undefined }> {
  const client = await clientOf(settings);
  const patience = patienceOf(settings, signal);
  const answer = await client.embeddings
    .create({ model: settings.model, input, encoding_format: "float" }, { signal: patience.signal })
    .catch((error: unknown) => {
      throw new Fault("model.unavailable", "the embedding model does not answer", {
        cause: error,
      });
    })
    .finally(patience.end);
  const vectors = answer.data?.map(({ embedding }) => Float32Array.from(embedding ?? [])) ?? [];
  const isUsable = ({ length }: Float32Array) =>
    length > 0 && length <= DIMENSIONS_MAX && length === vectors[0]!.length;
  if (vectors.length !== input.length || !vectors.every(isUsable))
    throw new Fault("model.bad-answer", "the embedding model returned too few vectors");
  if (vectors.some((vector) => !vector.every(Number.isFinite)))
    throw new Fault(
      "model.bad-answer",
      "a vector of the embedding model does not consist of numbers",
    );
  return { vectors: vectors.map(normalise), tokens: answer.usage?.prompt_tokens };
}

function normalise(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}
