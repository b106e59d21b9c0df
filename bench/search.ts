/**
 * Search over 100,000 chunks. Hybrid search with its rights is compared with its parts by themselves: full text, the
 * scan of the vectors, and one batch of rights. All take turns on the same questions.
 */
import { systemClock } from "../src/lib/clock.ts";
import { findReadable } from "../src/rights/find-readable.ts";
import type { MayRead } from "../src/search/readable-ranks.ts";
import { createSearchIndex } from "../src/search/search-index.ts";
import { createVectorIndex } from "../src/search/vector-index.ts";
import { type Database, openDatabase } from "../src/store/database.ts";
import { libraryQuestions } from "../tenant/content/library/questions.ts";
import {
  type BenchOptions,
  type Figure,
  limited,
  median,
  note,
  quantile,
  round,
} from "./harness.ts";
import { TENANT_ID } from "./quality/index-library.ts";
import { createDocuments, indexDocument, startRights, wordEmbedder } from "./search-scene.ts";
import { type Closers, closeAll, makeFolder, startPostgres } from "./throwaway.ts";

const CHUNKS = { quick: 2_000, usual: 100_000 };
const QUESTIONS = { quick: 20, usual: 200 };

export async function benchSearch(options: BenchOptions = {}): Promise<Figure[]> {
  const closers: Closers = [];
  try {
    const postgres = await startPostgres(await makeFolder(closers), closers);
    const database = openDatabase({ url: await postgres.create("search"), connections: 8 });
    closers.push(() => database.close());
    const size = options.quick ? "quick" : "usual";
    const filling = await fill(database, CHUNKS[size]);
    await database.query("ANALYZE");
    return [
      ...filling.figures,
      await reindexOne(database, filling.documents),
      ...(await compareParts(database, QUESTIONS[size], closers)),
    ];
  } finally {
    await closeAll(closers);
  }
}

async function fill(
  database: Database,
  wanted: number,
): Promise<{ documents: number; figures: Figure[] }> {
  const make = createDocuments("bench");
  const rss: number[] = [];
  const startedMs = performance.now();
  let [chunks, documents, writingMs] = [0, 0, 0];
  while (chunks < wanted) {
    const made = make(documents);
    const beganMs = performance.now();
    chunks += await indexDocument(database, documents, 1, made);
    writingMs += performance.now() - beganMs;
    documents += 1;
    if (chunks >= (wanted * (rss.length + 1)) / 10) {
      globalThis.gc?.();
      rss.push(Math.round(process.memoryUsage().rss / 2 ** 20));
      note(`  ${chunks} chunks after ${Math.round((performance.now() - startedMs) / 1_000)} s`);
    }
  }
  const rate = Math.round((chunks * 1_000) / writingMs);
  const tenths = `${documents} documents at ${rate} chunks/s; by tenths ${rss.join(", ")} MB`;
  return {
    documents,
    figures: [
      limited({
        ...{ bench: "search", case: "memory while indexing, last tenth of third", unit: "%" },
        ...{ ours: (100 * rss.at(-1)!) / rss[2]!, limit: 125, note: tenths },
      }),
    ],
  };
}

/** The rows of all other documents must stay where they are. */
async function reindexOne(database: Database, documents: number): Promise<Figure> {
  const places = async () => {
    const { rows } = await database.query<{ id: string; place: string }>(
      "SELECT id, ctid::text || xmin::text AS place FROM postroom.chunk",
    );
    return new Map(rows.map(({ id, place }) => [id, place]));
  };
  const before = await places();
  const number = Math.floor(documents / 2);
  const beganMs = performance.now();
  const written = await indexDocument(database, number, 2, createDocuments("bench")(number, 2));
  const tookMs = performance.now() - beganMs;
  const after = await places();
  const gone = [...before.keys()].filter((id) => !after.has(id)).length;
  const touched = [...before].filter(([id, place]) => (after.get(id) ?? place) !== place).length;
  return limited({
    ...{ bench: "search", case: "chunks of others touched by re-indexing one", unit: "chunks" },
    ...{ ours: touched, limit: 1 },
    note: `${gone} chunks replaced by ${written} in ${Math.round(tookMs)} ms`,
  });
}

type Part = "full text" | "scan" | "rights" | "hybrid";

async function compareParts(
  database: Database,
  count: number,
  closers: Closers,
): Promise<Figure[]> {
  const vectors = createVectorIndex(database, wordEmbedder);
  const index = createSearchIndex({ database, clock: systemClock, vectors });
  closers.push(index.close);
  const dataverse = await startRights(closers);
  const filter = { tenantId: TENANT_ID };
  const questions = libraryQuestions("bench").slice(0, count);
  const everything: MayRead = async (ids) => new Set(ids);
  const asked: string[][] = [];
  const rights: MayRead = (ids) => {
    asked.push([...ids]);
    return findReadable(dataverse, ids);
  };
  const took: Record<Part, number[]> = { "full text": [], scan: [], rights: [], hybrid: [] };
  const time = async (part: Part, work: () => Promise<unknown>) => {
    const beganMs = performance.now();
    await work();
    took[part].push(performance.now() - beganMs);
  };
  await index.find(questions[0]!.text, filter, everything); // loads the vectors
  for (const { text } of questions) {
    asked.length = 0;
    await index.find(text, filter, rights);
    const [ids] = asked;
    await time("full text", () => index.find(text, filter, everything, { mode: "text" }));
    await time("scan", async () => (await vectors.open(filter, text)).rank([], 200));
    await time("rights", () => findReadable(dataverse, ids!));
    await time("hybrid", () => index.find(text, filter, rights));
  }
  return [0.5, 0.99].map((part) => toFigure(took, part));
}

function toFigure(took: Readonly<Record<Part, number[]>>, part: number): Figure {
  const at = (name: Part) => round(quantile(took[name], part), 1);
  const sums = took.hybrid.map(
    (_, index) => took["full text"][index]! + took.scan[index]! + took.rights[index]!,
  );
  const sum = quantile(sums, part);
  const parts = `full text ${at("full text")}, scan ${at("scan")}, rights ${at("rights")} ms`;
  return limited({
    ...{ bench: "search", case: `hybrid, p${part * 100}, of the sum of its parts`, unit: "%" },
    ...{ ours: (100 * at("hybrid")) / sum, limit: 130 },
    note: `hybrid ${at("hybrid")} ms; ${parts}; the medians are ${round(median(took.hybrid), 1)} and ${round(median(sums), 1)} ms`,
  });
}
