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
import { type NearPiece, type ScanThread, startScanThread } from "./scan-thread.ts";

export interface VectorIndex {
  /** How much its ranks count beside those of words, which count 1. */
  readonly weight: number;
  /** Computes the vector of a query, once. */
  open(filter: SearchFilter, query: string, options?: EmbedOptions): Promise<Meaning>;
  close(): Promise<void>;
}

export interface Meaning {
  /**
   * The nearest chunks, and those given however many are nearer, best first; their score is the cosine. Chunks that are
   * too far are left out.
   */
  rank(given: readonly number[], count: number): Promise<Hit[]>;
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
    async open(filter, query, options) {
      const [[vector]] = await Promise.all([embedder.embed([query], options), refresh()]);
      if (scan === null || vector === undefined) return { rank: async () => [] };
      if (vector.length !== dimensions)
        throw new Fault("model.bad-answer", "the embedding model now has another vector length");
      const isFiltered = Object.entries(filter).some(
        ([name, value]) => name !== "tenantId" && value !== undefined,
      );
      const scored = new Map<number, Hit>();
      const score = async (pieces: readonly NearPiece[]) => {
        for (const found of await findVectors(database, filter, embedder.name, pieces)) {
          const { vector: bytes, ...hit } = found;
          scored.set(hit.no, { ...hit, score: cosine(vector, fromBytes(bytes, 1)[0]!) });
        }
      };
      const { nearest, among } = scan;
      const signs = signsOf(vector);
      await score(await nearest(signs, isFiltered ? RESCORED_FILTERED : RESCORED));
      return {
        async rank(given, count) {
          const unknown = given.filter((no) => !scored.has(no));
          if (unknown.length > 0) await score(await among(signs, unknown));
          const isGiven = new Set(given);
          return [...scored.values()]
            .filter((hit) => hit.score >= embedder.cosineMin)
            .sort((a, b) => b.score - a.score || a.no - b.no)
            .filter(({ no }, place) => place < count || isGiven.has(no));
        },
      };
    },
    close: async () => scan?.close(),
  };
}
