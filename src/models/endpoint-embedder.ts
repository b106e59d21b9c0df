import { Fault } from "../lib/fault.ts";
import type { Embedder } from "./embedder.ts";
import { clientOf, type ModelSettings } from "./model.ts";

/** Longer texts are truncated: most models read about 8,000 tokens. */
const TEXT_LENGTH_MAX = 20_000;
const DIMENSIONS_MAX = 8_192;

/** Vectors from an OpenAI-compatible endpoint, Azure OpenAI or Ollama. */
export function createEndpointEmbedder(settings: ModelSettings): Embedder {
  return {
    name: settings.model,
    languages: null,
    cosineMin: 0.2,
    weight: 1,
    async embed(texts, signal) {
      if (texts.length === 0) return [];
      const client = await clientOf(settings);
      const answer = await client.embeddings
        .create(
          {
            model: settings.model,
            input: texts.map((text) => text.slice(0, TEXT_LENGTH_MAX)),
            encoding_format: "float",
          },
          signal ? { signal } : {},
        )
        .catch((error: unknown) => {
          throw new Fault("model.unavailable", "the embedding model does not answer", {
            cause: error,
          });
        });
      const vectors = answer.data?.map(({ embedding }) => Float32Array.from(embedding ?? [])) ?? [];
      const isUsable = ({ length }: Float32Array) =>
        length > 0 && length <= DIMENSIONS_MAX && length === vectors[0]!.length;
      if (vectors.length !== texts.length || !vectors.every(isUsable))
        throw new Fault("model.bad-answer", "the embedding model returned too few vectors");
      if (vectors.some((vector) => !vector.every(Number.isFinite)))
        throw new Fault(
          "model.bad-answer",
          "a vector of the embedding model does not consist of numbers",
        );
      return vectors.map(normalise);
    },
    close: async () => {},
  };
}

function normalise(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}
