import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../src/lib/hash.ts";
import type { Embedder } from "../../src/models/embedder.ts";

const FOLDER = "node_modules/.cache/postroom-quality";

/** A model needs minutes for the library, and the same text always gives the same vector, so vectors are kept on disk. */
export function keepVectors(embedder: Embedder): Embedder {
  const folder = join(FOLDER, embedder.name);
  mkdirSync(folder, { recursive: true });
  return {
    ...embedder,
    async embed(texts, options) {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        const file = join(folder, sha256Hex(Buffer.from(text)));
        if (!existsSync(file)) {
          const [vector] = await embedder.embed([text], options);
          writeFileSync(
            file,
            new Uint8Array(vector!.buffer, vector!.byteOffset, vector!.byteLength),
          );
        }
        vectors.push(new Float32Array(Uint8Array.from(readFileSync(file)).buffer));
      }
      return vectors;
    },
  };
}
