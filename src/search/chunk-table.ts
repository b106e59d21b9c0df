/** The only SQL for chunks and for the stems of their words. */
import type { Queryable, Transaction } from "../store/database.ts";
import { toJson } from "../store/storable.ts";
import type { Chunk, ChunkPage } from "./cut-chunks.ts";
import { chunkId } from "./indexed-document.ts";
import type { NewIndexed } from "./indexed-document-table.ts";

export interface StoredChunk {
  readonly no: number;
  readonly id: string;
  readonly documentId: string;
  readonly index: number;
  readonly content: string;
  readonly pages: readonly ChunkPage[];
  readonly language: string;
}

const COLUMNS = `c.no, c.id, c.document_id AS "documentId", c.chunk_index AS "index", c.content, c.pages, c.language`;

/** Vectors as they are stored: one signed byte per dimension. */
export interface Embedded {
  readonly embedder: string;
  /** In the order of the chunks. `bytes` holds the vectors of all pieces of a chunk, one after another. */
  readonly vectors: readonly { readonly bytes: Buffer; readonly pieces: number }[];
}

/** The name of a document counts more than its text. */
const WORDS = `setweight(to_tsvector(c.language::regconfig, $5), 'A') || to_tsvector(c.language::regconfig, c.content)`;

export async function insertChunks(
  tx: Transaction,
  document: NewIndexed,
  chunks: readonly Chunk[],
  embedded: Embedded | null,
): Promise<void> {
  if (chunks.length === 0) return;
  const vectors = embedded?.vectors ?? [];
  const rows = chunks.map(({ index, start, content, pages }) => ({
    id: chunkId(document.documentId, index, document.generation),
    index,
    start,
    content,
    pages,
    language: document.language,
  }));
  await tx.query(
    `INSERT INTO postroom.chunk
       (id, tenant_id, document_id, chunk_index, start_at, content, pages, language, words, vector, pieces,
        embedder)
     SELECT c.id, $2, $3, c.index, c.start, c.content, c.pages, c.language, ${WORDS},
            v.vector, coalesce(v.pieces, 1), CASE WHEN v.vector IS NULL THEN NULL ELSE $6 END
       FROM jsonb_to_recordset($1::jsonb)
              AS c(id text, index integer, start integer, content text, pages jsonb, language text)
       LEFT JOIN unnest($4::bytea[], $7::int[]) WITH ORDINALITY AS v(vector, pieces, place)
         ON v.place = c.index + 1`,
    [
      toJson(rows),
      document.tenantId,
      document.documentId,
      vectors.map(({ bytes }) => bytes),
      document.name.replace(/[._-]+/g, " "),
      embedded?.embedder ?? null,
      vectors.map(({ pieces }) => pieces),
    ],
  );
  await countStems(tx, document.documentId);
}

/** One writer at a time, because all documents share the rows of common words. Taken last in the transaction, so only briefly. */
const LOCK_STEMS = "SELECT pg_advisory_xact_lock(7070019)";
const STEM_LENGTH_MAX = 60;

async function countStems(tx: Transaction, documentId: string): Promise<void> {
  await tx.query(LOCK_STEMS);
  await tx.query(
    `INSERT INTO postroom.stem (stem, chunks)
     SELECT s, count(*) FROM postroom.chunk, unnest(tsvector_to_array(words)) s
      WHERE document_id = $1 AND length(s) <= ${STEM_LENGTH_MAX} GROUP BY s ORDER BY s
     ON CONFLICT (stem) DO UPDATE SET chunks = stem.chunks + excluded.chunks`,
    [documentId],
  );
}

export async function deleteChunks(tx: Transaction, documentId: string): Promise<number> {
  await forgetStems(tx, "document_id = $1", [documentId]);
  const { rowCount } = await tx.query("DELETE FROM postroom.chunk WHERE document_id = $1", [
    documentId,
  ]);
  return rowCount;
}

/** The document that the chunk belonged to; null if there is no such chunk. */
export async function deleteChunk(
  tx: Transaction,
  tenantId: string,
  id: string,
): Promise<string | null> {
  await forgetStems(tx, "tenant_id = $1 AND id = $2", [tenantId, id]);
  const { rows } = await tx.query<{ documentId: string }>(
    `DELETE FROM postroom.chunk WHERE tenant_id = $1 AND id = $2 RETURNING document_id AS "documentId"`,
    [tenantId, id],
  );
  return rows[0]?.documentId ?? null;
}

/** Before chunks are deleted, their stems occur in fewer chunks. */
async function forgetStems(
  tx: Transaction,
  condition: string,
  values: readonly unknown[],
): Promise<void> {
  await tx.query(LOCK_STEMS);
  await tx.query(
    `WITH lost AS (
       SELECT s AS stem, count(*) AS chunks FROM postroom.chunk, unnest(tsvector_to_array(words)) s
        WHERE ${condition} GROUP BY s)
     UPDATE postroom.stem SET chunks = stem.chunks - lost.chunks FROM lost WHERE stem.stem = lost.stem`,
    values,
  );
  await tx.query(
    `DELETE FROM postroom.stem WHERE chunks <= 0 AND stem IN (
       SELECT s FROM postroom.chunk, unnest(tsvector_to_array(words)) s WHERE ${condition})`,
    values,
  );
}

/** All chunks of a document, with their vectors. */
export async function findChunksOf(
  on: Queryable,
  documentId: string,
): Promise<(StoredChunk & { readonly vector: Buffer | null; readonly pieces: number })[]> {
  const { rows } = await on.query<StoredChunk & { vector: Buffer | null; pieces: number }>(
    `SELECT ${COLUMNS}, c.vector, c.pieces FROM postroom.chunk c WHERE c.document_id = $1 ORDER BY c.chunk_index`,
    [documentId],
  );
  return rows;
}

export async function findChunks(on: Queryable, nos: readonly number[]): Promise<StoredChunk[]> {
  const { rows } = await on.query<StoredChunk>(
    `SELECT ${COLUMNS} FROM postroom.chunk c WHERE c.no = ANY($1::bigint[])`,
    [nos],
  );
  return rows;
}

export interface QueryStem {
  readonly word: string;
  readonly language: string;
  /** Null if the word is a stop word of the language. */
  readonly stem: string | null;
  readonly chunks: number;
}

/** The stem of each word in each language, and in how many chunks it occurs. */
export async function findStems(
  on: Queryable,
  words: readonly string[],
  languages: readonly string[],
): Promise<QueryStem[]> {
  const { rows } = await on.query<QueryStem>(
    `SELECT w.word, l.language, s.stem, coalesce(t.chunks, 0) AS chunks
       FROM unnest($1::text[]) w(word) CROSS JOIN unnest($2::text[]) l(language)
       LEFT JOIN LATERAL unnest(tsvector_to_array(to_tsvector(l.language::regconfig, w.word))) s(stem) ON true
       LEFT JOIN postroom.stem t ON t.stem = s.stem`,
    [words, languages],
    "search-stems",
  );
  return rows;
}

/** The words without any stem in these chunks. */
export async function findMissing(
  on: Queryable,
  nos: readonly number[],
  words: readonly { readonly word: string; readonly stems: string }[],
): Promise<string[]> {
  const { rows } = await on.query<{ word: string }>(
    `SELECT w.word FROM unnest($2::text[], $3::text[]) w(word, stems)
      WHERE NOT EXISTS (SELECT 1 FROM postroom.chunk c
                         WHERE c.no = ANY($1::bigint[]) AND c.words @@ w.stems::tsquery)`,
    [nos, words.map(({ word }) => word), words.map(({ stems }) => stems)],
  );
  return rows.map(({ word }) => word);
}

export interface SimilarStem {
  readonly word: string;
  readonly stem: string;
  readonly chunks: number;
  /** From 0 to 1. */
  readonly similarity: number;
}

/** The stems most similar to each word; empty if the server has no trigrams. `home` is the schema of the extension. */
export async function findSimilarStems(
  on: Queryable,
  home: string,
  words: readonly string[],
): Promise<SimilarStem[]> {
  const { rows } = await on.query<SimilarStem>(
    `SELECT w.word, t.stem, t.chunks, t.similarity FROM unnest($1::text[]) w(word)
      CROSS JOIN LATERAL (
        SELECT stem, chunks, ${home}.similarity(stem, w.word) AS similarity FROM postroom.stem
         WHERE stem OPERATOR(${home}.%) w.word ORDER BY similarity DESC, chunks DESC LIMIT 12) t`,
    [words],
  );
  return rows;
}

/** The schema of the extension for trigrams; null if the server has none. */
export async function trigramHome(on: Queryable): Promise<string | null> {
  const { rows } = await on.query<{ home: string }>(
    `SELECT quote_ident(n.nspname) AS home FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
      WHERE e.extname = 'pg_trgm'`,
  );
  return rows[0]?.home ?? null;
}

export async function countChunks(on: Queryable): Promise<number> {
  const { rows } = await on.query<{ count: number }>(
    "SELECT count(*) AS count FROM postroom.chunk",
  );
  return rows[0]!.count;
}

export interface SearchFilter {
  readonly tenantId: string;
  readonly kinds?: readonly string[] | undefined;
  readonly parentId?: string | undefined;
  readonly parentType?: string | undefined;
  readonly sender?: string | undefined;
  readonly mailbox?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly documentIds?: readonly string[] | undefined;
}

/** `$1` to `$9` of every statement that filters. */
const FILTER = `d.tenant_id = $1
  AND ($2::text[] IS NULL OR d.kind = ANY($2)) AND ($3::text IS NULL OR d.parent_id = lower($3))
  AND ($4::text IS NULL OR d.parent_type = $4) AND ($5::text IS NULL OR d.sender ILIKE '%' || $5 || '%')
  AND ($6::text IS NULL OR lower(d.mailbox) = lower($6))
  AND ($7::timestamptz IS NULL OR d.dated_at >= $7) AND ($8::timestamptz IS NULL OR d.dated_at < $8)
  AND ($9::uuid[] IS NULL OR d.document_id = ANY($9))`;

const filterValues = (filter: SearchFilter): unknown[] => [
  filter.tenantId,
  filter.kinds ?? null,
  filter.parentId ?? null,
  filter.parentType ?? null,
  filter.sender?.replace(/[\\%_]/g, "\\$&") ?? null,
  filter.mailbox ?? null,
  filter.from ?? null,
  filter.to ?? null,
  filter.documentIds ?? null,
];

/** A word of the question: its stems with their weights. */
export interface WeightedTerm {
  readonly stems: readonly { readonly stem: string; readonly weight: number }[];
}

export interface Hit {
  readonly no: number;
  readonly documentId: string;
  readonly parentId: string | null;
  readonly score: number;
}

export const toTsquery = (stem: string): string =>
  `'${stem.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

/** A word in more chunks than this distinguishes them so little that any of them will do. */
const RANKED_MAX = 10_000;

/**
 * The chunks that match the query, best first. Each word counts by its best stem; `ts_rank` of a single stem rises
 * with its occurrences and levels off. The words of a chunk are unpacked once, by the concatenation, and not once for
 * each stem.
 */
export async function rankChunks(
  on: Queryable,
  filter: SearchFilter,
  query: string,
  terms: readonly WeightedTerm[],
  limit: number,
): Promise<Hit[]> {
  const values = [...filterValues(filter), query, limit];
  const add = (value: unknown): string => `$${values.push(value)}`;
  const scores = terms.map(({ stems }) => {
    const parts = stems.map(
      ({ stem, weight }) =>
        `${add(weight)}::float8 * ts_rank('{0.7,0.7,0.7,1}', c.words, ${add(toTsquery(stem))}::tsquery)`,
    );
    return parts.length === 1 ? parts[0]! : `greatest(${parts.join(", ")})`;
  });
  const { rows } = await on.query<Hit>(
    `SELECT c.no, c.document_id AS "documentId", c.parent_id AS "parentId",
            (${scores.join(" + ")}) / (0.85 + 0.15 * least(4.0, length(c.words) / 200.0)) AS score
       FROM (SELECT c.no, c.document_id, d.parent_id, c.words || ''::tsvector AS words
               FROM postroom.chunk c JOIN postroom.indexed_document d ON d.document_id = c.document_id
              WHERE c.tenant_id = $1 AND c.words @@ $10::tsquery AND ${FILTER} LIMIT ${RANKED_MAX}) c
      ORDER BY score DESC, c.no LIMIT $11`,
    values,
  );
  return rows;
}

/** The chunks of these ids that the index holds and that pass the filter. */
export async function findHits(
  on: Queryable,
  filter: SearchFilter,
  ids: readonly string[],
): Promise<(Omit<Hit, "score"> & { readonly id: string })[]> {
  const { rows } = await on.query<Omit<Hit, "score"> & { id: string }>(
    `SELECT c.id, c.no, c.document_id AS "documentId", d.parent_id AS "parentId"
       FROM postroom.chunk c JOIN postroom.indexed_document d ON d.document_id = c.document_id
      WHERE c.id = ANY($10::text[]) AND ${FILTER}`,
    [...filterValues(filter), ids],
  );
  return rows;
}

export type StoredVector = Omit<Hit, "score"> & { readonly vector: Buffer };

/** One vector of each of these chunks, if they pass the filter. */
export async function findVectors(
  on: Queryable,
  filter: SearchFilter,
  embedder: string,
  wanted: readonly { readonly no: number; readonly piece: number }[],
): Promise<StoredVector[]> {
  const { rows } = await on.query<StoredVector>(
    `SELECT c.no, c.document_id AS "documentId", d.parent_id AS "parentId",
            substring(c.vector FROM w.piece * (length(c.vector) / c.pieces) + 1
                               FOR length(c.vector) / c.pieces) AS vector
       FROM unnest($10::bigint[], $11::int[]) w(no, piece)
       JOIN postroom.chunk c ON c.no = w.no
       JOIN postroom.indexed_document d ON d.document_id = c.document_id
      WHERE c.embedder = $12 AND ${FILTER}`,
    [
      ...filterValues(filter),
      wanted.map(({ no }) => no),
      wanted.map(({ piece }) => piece),
      embedder,
    ],
  );
  return rows;
}

/** The oldest transaction that is still open; its rows may appear later. */
export async function oldestOpen(on: Queryable): Promise<string> {
  const { rows } = await on.query<{ open: string }>(
    "SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS open",
  );
  return rows[0]!.open;
}

/** Vectors written since, in pages by number. */
export async function listVectors(
  on: Queryable,
  embedder: string,
  since: string,
  afterNo: number,
  limit: number,
): Promise<{ no: number; vector: Buffer; pieces: number }[]> {
  const { rows } = await on.query<{ no: number; vector: Buffer; pieces: number }>(
    `SELECT no, vector, pieces FROM postroom.chunk
      WHERE embedder = $1 AND written_by >= $2::xid8 AND vector IS NOT NULL AND no > $3 ORDER BY no LIMIT $4`,
    [embedder, since, afterNo, limit],
  );
  return rows;
}

/** Chunks in these languages (null: in all) without vectors of this embedder. */
export async function findUnembedded(
  on: Queryable,
  { name, languages }: { readonly name: string; readonly languages: readonly string[] | null },
  afterNo: number,
  limit: number,
): Promise<{ no: number; content: string }[]> {
  const { rows } = await on.query<{ no: number; content: string }>(
    `SELECT no, content FROM postroom.chunk
      WHERE embedder IS DISTINCT FROM $1 AND ($2::text[] IS NULL OR language = ANY($2)) AND no > $3
      ORDER BY no LIMIT $4`,
    [name, languages, afterNo, limit],
  );
  return rows;
}

/** The documents of these chunks. */
export async function storeVectors(
  tx: Transaction,
  nos: readonly number[],
  { embedder, vectors }: Embedded,
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `UPDATE postroom.chunk c
        SET vector = v.vector, pieces = v.pieces, embedder = $4, written_by = pg_current_xact_id()
       FROM unnest($1::bigint[], $2::bytea[], $3::int[]) v(no, vector, pieces) WHERE c.no = v.no
     RETURNING c.document_id AS id`,
    [nos, vectors.map(({ bytes }) => bytes), vectors.map(({ pieces }) => pieces), embedder],
  );
  return [...new Set(rows.map(({ id }) => id))];
}

export interface Passage {
  readonly no: number;
  readonly text: string;
}

/** The whole of each chunk, with its matching words between the given marks. */
export async function markWords(
  on: Queryable,
  nos: readonly number[],
  query: string,
  marks: { readonly start: string; readonly end: string },
): Promise<Passage[]> {
  const options = `StartSel="${marks.start}", StopSel="${marks.end}", HighlightAll=true`;
  const { rows } = await on.query<Passage>(
    `SELECT no, ts_headline(language::regconfig, content, $2::tsquery, $3) AS text
       FROM postroom.chunk WHERE no = ANY($1::bigint[])`,
    [nos, query, options],
  );
  return rows;
}
