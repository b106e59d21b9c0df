/** The nearest chunks by meaning. The signs of all vectors are in memory; the vectors themselves stay in the database. */
import { Fault } from "../lib/fault.ts";
import {
  cosine,
  type Embedder,
  type EmbedOptions,
  fromBytes,
  signsOf,
} from "../models/embedder.ts";
import type { Database } from "../store/database.ts";
import {
  findVectors,
  type Hit,
  listVectors,
  oldestOpen,
  type SearchFilter,
} from "./chunk-table.ts";
import { type ScanThread, startScanThread } from "./scan-thread.ts";

export interface VectorIndex {
  /** How much its ranks count beside those of words, which count 1. */
  readonly weight: number;
  /** Best first; their score is the cosine. */
  search(
    filter: SearchFilter,
    query: string,
    count: number,
    options?: EmbedOptions,
  ): Promise<Hit[]>;
  close(): Promise<void>;
}

const PAGE = 1_000;
/** Signs are coarse, so more vectors than requested are compared exactly; a filter removes some. */
const RESCORED = 400;
const RESCORED_FILTERED = 4_000;

const dimensionsOf = ({ vector, pieces }: { vector: Buffer; pieces: number }): number =>
  vector.length / pieces;

export function createVectorIndex(database: Database, embedder: Embedder): VectorIndex {
  let scan: ScanThread | null = null;
  /** Of the first vector; an endpoint may put another model behind the same name. */
  let dimensions = 0;
  /** Chunks written by this transaction or a later one may be missing. */
  let since = "0";
  let refreshing: Promise<void> | null = null;

  const load = async (): Promise<void> => {
    const open = await oldestOpen(database);
    for (let last = 0; ; ) {
      const page = await listVectors(database, embedder.name, since, last, PAGE);
      if (page.length === 0) break;
      last = page.at(-1)!.no;
      if (scan === null) {
        dimensions = dimensionsOf(page[0]!);
        scan = startScanThread(dimensions);
      }
      const fitting = page.filter((each) => dimensionsOf(each) === dimensions);
      scan.add(
        fitting.map(({ no, vector, pieces }) => ({
          no,
          signs: fromBytes(vector, pieces).map(signsOf),
        })),
      );
    }
    since = open;
  };
  /** Concurrent searches share a round; one that began before the caller may miss the caller's own write. */
  const refresh = async (): Promise<void> => {
    await refreshing?.catch(() => {});
    refreshing ??= load().finally(() => {
      refreshing = null;
    });
    await refreshing;
  };

  return {
    weight: embedder.weight,
    async search(filter, query, count, options) {
      const [[vector]] = await Promise.all([embedder.embed([query], options), refresh()]);
      if (scan === null || vector === undefined) return [];
      if (vector.length !== dimensions)
        throw new Fault("model.bad-answer", "the embedding model now has another vector length");
      const isFiltered = Object.entries(filter).some(
        ([name, value]) => name !== "tenantId" && value !== undefined,
      );
      const nos = await scan.nearest(signsOf(vector), isFiltered ? RESCORED_FILTERED : RESCORED);
      const found = await findVectors(database, filter, embedder.name, nos);
      return found
        .map(({ vector: bytes, pieces, ...hit }) => ({
          ...hit,
          score: Math.max(...fromBytes(bytes, pieces).map((piece) => cosine(vector, piece))),
        }))
        .filter(({ score }) => score >= embedder.cosineMin)
        .sort((a, b) => b.score - a.score || a.no - b.no)
        .slice(0, count);
    },
    close: async () => scan?.close(),
  };
}
