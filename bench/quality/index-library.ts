import { createHash } from "node:crypto";
import type { Embedder } from "../../src/models/embedder.ts";
import { cutChunks } from "../../src/search/cut-chunks.ts";
import { embedChunks } from "../../src/search/embed-chunks.ts";
import { languageOf } from "../../src/search/language.ts";
import { writeIndex } from "../../src/search/write-index.ts";
import type { Database } from "../../src/store/database.ts";
import { LIBRARY_SIZE, libraryDocument } from "../../tenant/content/library/library.ts";

export const TENANT_ID = "bench";

/** Puts the sample library into the index without the way through files; returns the number of chunks. */
export async function indexLibrary(
  database: Database,
  seed: string,
  embedder: Embedder | null,
): Promise<number> {
  let count = 0;
  for (let number = 0; number < LIBRARY_SIZE; number++) {
    const document = libraryDocument(seed, number);
    const text = document.sections.map(({ heading, text }) => `${heading}\n${text}`).join("\n\n");
    const chunks = cutChunks({
      pages: [{ number: 1, label: null, text, boxes: [] }],
      omitted: [],
    });
    const language = await languageOf(text);
    const contents = chunks.map(({ content }) => content);
    const isKnown = embedder?.languages?.includes(language) ?? true;
    const embedded = embedder === null || !isKnown ? null : await embedChunks(embedder, contents);
    await writeIndex(database, {
      facts: factsOf(idOf(`${seed}/${number}`), document.fileName, document.kind),
      ...{ version: "1", sha256: String(number), language, chunks, reason: null, embedded },
    });
    count += chunks.length;
  }
  await database.query("ANALYZE");
  return count;
}

export const factsOf = (documentId: string, name: string, kind: string) => ({
  ...{ documentId, name, kind, tenantId: TENANT_ID, parentType: null, parentId: null },
  ...{ parentName: null, sender: null, mailbox: null, datedAt: null, webUrl: null },
  ...{ driveId: null, itemId: null },
});

/** The same name gives the same id. */
export function idOf(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
