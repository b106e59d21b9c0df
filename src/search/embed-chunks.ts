/** Vectors of chunks: when a document is indexed, or later if the model was down or is a new one. */
import { type Embedder, toBytes } from "../models/embedder.ts";
import type { Database } from "../store/database.ts";
import { type Embedded, findUnembedded, storeVectors } from "./chunk-table.ts";
import { forgetCopiesOf } from "./indexed-document-table.ts";

/** Texts that are sent to an embedder at once. */
const TEXTS_AT_ONCE = 16;
/** Chunks that are read from the database at once. */
const CHUNKS_AT_ONCE = 32;

/** A chunk without a single letter has one piece too, so that every chunk has a vector. */
export async function embedChunks(
  embedder: Embedder,
  contents: readonly string[],
  signal?: AbortSignal,
): Promise<Embedded> {
  const pieces = contents.map((content) => {
    const split = embedder.split?.(content) ?? [content];
    return split.length === 0 ? [content] : split;
  });
  const texts = pieces.flat();
  const bytes: Buffer[] = [];
  for (let from = 0; from < texts.length; from += TEXTS_AT_ONCE) {
    const batch = texts.slice(from, from + TEXTS_AT_ONCE);
    bytes.push(...(await embedder.embed(batch, { signal })).map(toBytes));
  }
  return {
    embedder: embedder.name,
    vectors: pieces.map(({ length }) => ({
      bytes: Buffer.concat(bytes.splice(0, length)),
      pieces: length,
    })),
  };
}

export interface VectorUpkeep {
  /** Computes the missing vectors of this embedder until all chunks have one or the time is up; returns their number. */
  catchUp(isTimeUp: () => boolean, signal?: AbortSignal): Promise<number>;
}

/** Chunks never change their text, so what was computed is still right when it is stored. */
export function createVectorUpkeep(database: Database, embedder: Embedder): VectorUpkeep {
  /** Where the last round stopped: a text that the model refuses must not hold up those after it. */
  let after = 0;
  return {
    async catchUp(isTimeUp, signal) {
      let count = 0;
      let isFromStart = after === 0;
      while (!isTimeUp()) {
        const found = await findUnembedded(database, embedder, after, CHUNKS_AT_ONCE);
        after = found.at(-1)?.no ?? 0;
        if (found.length === 0 && isFromStart) break;
        if (found.length === 0) isFromStart = true;
        const contents = found.map(({ content }) => content);
        const nos = found.map(({ no }) => no);
        const embedded = await embedChunks(embedder, contents, signal);
        await database.transaction(async (tx) =>
          forgetCopiesOf(tx, await storeVectors(tx, nos, embedded)),
        );
        count += found.length;
      }
      return count;
    },
  };
}
