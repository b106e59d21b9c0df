/**
 * Document to index: reads the record and the file as the app, cuts the text into chunks and replaces what the index
 * holds. A version that was read before is not read again, and a file with the same content is not cut again.
 */
import { deleteAnalysesOf } from "../../analysis/analysis-table.ts";
import { getPlaybook, PROFILE, typeOf } from "../../analysis/playbook.ts";
import type { Actor } from "../../filing/actors.ts";
import { PARENTS } from "../../filing/container.ts";
import { getFiling } from "../../filing/filing-table.ts";
import { RECORDS } from "../../filing/record.ts";
import { handle, type JobHandler } from "../../jobs/handler.ts";
import type { Job, JobQueue } from "../../jobs/job.ts";
import { analysisKey } from "../../jobs/job-keys.ts";
import { excluded, type JobOutcome, success } from "../../jobs/outcome.ts";
import type { Clock } from "../../lib/clock.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { killPoint } from "../../lib/kill-points.ts";
import type { Log } from "../../lib/log.ts";
import { DataverseError } from "../../microsoft/dataverse/dataverse-fault.ts";
import type { Embedder } from "../../models/embedder.ts";
import { FILE_BYTES_MAX } from "../../reading/admit-file.ts";
import type { TextReader } from "../../reading/read-text.ts";
import type { IndexCopy } from "../../search/azure/index-copy.ts";
import type { Embedded } from "../../search/chunk-table.ts";
import { type Chunk, cutChunks, fullText } from "../../search/cut-chunks.ts";
import { embedChunks } from "../../search/embed-chunks.ts";
import type { DocumentFacts, IndexedDocument } from "../../search/indexed-document.ts";
import { getIndexed, storeVersion } from "../../search/indexed-document-table.ts";
import { languageOf } from "../../search/language.ts";
import {
  FILE_OF_ANOTHER,
  type ReadDocument,
  removeFromIndex,
  writeIndex,
} from "../../search/write-index.ts";
import type { Database } from "../../store/database.ts";
import { aiAnalyze } from "../specs/analysis.ts";
import { type IndexResult, indexDocument } from "../specs/search.ts";
import { isFileOfAnother } from "./file-of-another.ts";

export interface IndexNeeds {
  readonly database: Database;
  readonly app: Actor;
  readonly texts: TextReader;
  /** Null if nothing computes vectors. */
  readonly embedder: Embedder | null;
  /** Whether profiles follow. */
  readonly profiles: boolean;
  /** A search service that holds a copy of the chunks; null without one. */
  readonly copy: IndexCopy | null;
  readonly tenantId: string;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly log: Log;
}

type IndexJob = Job<(typeof indexDocument)["payload"]["_output"]>;

export const INDEX_NAME = "postroom";

export function indexDocumentHandler(needs: IndexNeeds): JobHandler<IndexJob["payload"]> {
  return handle(
    indexDocument,
    async ({ payload }, run): Promise<JobOutcome> => {
      const documentId = payload.documentId.toLowerCase();
      const indexed = await indexOne(needs, documentId, run.signal);
      if (indexed.kind === "gone") return excluded("the document no longer exists");
      if (needs.profiles) await addProfile(needs, documentId);
      if (indexed.kind === "unchanged") return excluded("this version is in the index already");
      const { chunks, tookMs } = indexed;
      return success(indexed.reason ?? `${chunks} chunks in ${tookMs} ms`);
    },
    { concurrency: 2 },
  );
}

/**
 * Adds the profile of a document that we filed; if the file has no text, the record says so. A killed
 * job gets here again, and the key makes it one profile.
 */
async function addProfile({ database, jobs }: IndexNeeds, documentId: string): Promise<void> {
  const known = await getIndexed(database, documentId);
  if (known === null || known.sha256 === "") return;
  if ((await getFiling(database, documentId)) === null) return;
  const type = typeOf(getPlaybook(PROFILE)!, known.sha256);
  await database.transaction((tx) =>
    jobs.add(tx, aiAnalyze, [
      {
        subjectId: documentId,
        idempotencyKey: analysisKey(documentId, type),
        payload: { documentId, playbookId: PROFILE, personId: null },
      },
    ]),
  );
}

export async function indexOne(
  needs: IndexNeeds,
  documentId: string,
  signal?: AbortSignal,
): Promise<IndexResult> {
  const startedMs = needs.clock.now();
  const record = await readRecord(needs, documentId);
  if (record === null) {
    await forgetDocument(needs, documentId);
    return { kind: "gone" };
  }
  const known = await getIndexed(needs.database, documentId);
  if (known?.version === record.version) {
    // The worker that wrote this version may have died right after the chunks, so the later steps are repeated.
    await needs.copy?.write(documentId);
    await markRecord(needs, record);
    return { kind: "unchanged", chunks: known.chunkCount };
  }
  const document = await readDocument(needs, record, known, signal);
  await killPoint("index.text-read");
  await writeIndex(needs.database, document);
  await killPoint("index.chunks-written");
  await needs.copy?.write(documentId);
  await markRecord(needs, record);
  const chunks = (await getIndexed(needs.database, documentId))?.chunkCount ?? 0;
  const tookMs = needs.clock.now() - startedMs;
  return { kind: "indexed", chunks, tookMs, reason: document.reason };
}

/** The copy first: a job that dies in between comes back as long as our own index holds the document. */
export async function dropFromIndex(
  { copy, database }: Pick<IndexNeeds, "copy" | "database">,
  documentId: string,
): Promise<number | null> {
  await copy?.remove(documentId);
  return removeFromIndex(database, documentId);
}

/** For a document whose record was deleted. Returns the number of chunks that are gone; null if it was not in the index. */
export async function forgetDocument(
  needs: Pick<IndexNeeds, "copy" | "database">,
  documentId: string,
): Promise<number | null> {
  await deleteAnalysesOf(needs.database, documentId);
  return dropFromIndex(needs, documentId);
}

interface DocumentRecord {
  readonly facts: DocumentFacts;
  readonly version: string;
  readonly etag: string;
  readonly isMarked: boolean;
}

const LOOKUPS = Object.keys(PARENTS).map((table) => `_${lookupOf(table)}_value`);

/** The record's lookups to other tables have special names. */
function lookupOf(table: string): string {
  return table.startsWith("sprk_") ? table : `sprk_${table}`;
}

const COLUMNS = [
  "sprk_documentid,sprk_documentname,sprk_filename,sprk_graphitemid,sprk_graphdriveid,sprk_filepath",
  "sprk_emailfrom,sprk_emailto,sprk_emaildate,sprk_searchindexed,createdon",
  ...LOOKUPS,
].join(",");
const FORMATTED_VALUE = "@OData.Community.Display.V1.FormattedValue";

export async function readRecord(
  { app, tenantId }: Pick<IndexNeeds, "app" | "tenantId">,
  documentId: string,
): Promise<DocumentRecord | null> {
  const row = await app.dataverse
    .call<Record<string, unknown>>({
      path: `${RECORDS}(${documentId})?$select=${COLUMNS}`,
      headers: { prefer: `odata.include-annotations="${FORMATTED_VALUE.slice(1)}"` },
    })
    .catch((error: unknown) => {
      if (error instanceof DataverseError && error.status === 404) return null;
      throw error;
    });
  if (row === null) return null;
  const text = (name: string) => (typeof row[name] === "string" ? (row[name] as string) : null);
  const lookup = LOOKUPS.find((name) => text(name) !== null);
  const date = text("sprk_emaildate") ?? text("createdon");
  const etag = String(row["@odata.etag"]);
  return {
    facts: {
      documentId,
      tenantId,
      kind: null,
      name: text("sprk_filename") ?? text("sprk_documentname") ?? "",
      parentType: lookup === undefined ? null : parentTable(lookup),
      parentId: lookup === undefined ? null : text(lookup)!.toLowerCase(),
      parentName: lookup === undefined ? null : text(`${lookup}${FORMATTED_VALUE}`),
      sender: text("sprk_emailfrom"),
      mailbox: text("sprk_emailto"),
      datedAt: date === null ? null : new Date(date),
      webUrl: text("sprk_filepath"),
      driveId: text("sprk_graphdriveid"),
      itemId: text("sprk_graphitemid"),
    },
    version: /\d+/.exec(etag)![0],
    etag,
    isMarked: row["sprk_searchindexed"] === true,
  };
}

const parentTable = (lookup: string): string =>
  Object.keys(PARENTS).find((table) => `_${lookupOf(table)}_value` === lookup)!;

async function readDocument(
  needs: IndexNeeds,
  { facts, version }: DocumentRecord,
  known: IndexedDocument | null,
  signal?: AbortSignal,
): Promise<ReadDocument> {
  const withoutText = (reason: string, sha256 = ""): ReadDocument => ({
    facts,
    version,
    sha256,
    language: "simple",
    chunks: [],
    reason,
    embedded: null,
  });
  const { driveId, itemId } = facts;
  if (driveId === null || itemId === null) return withoutText("the record names no file");
  if (await isFileOfAnother(needs.database, facts)) return withoutText(FILE_OF_ANOTHER);
  const bytes = await needs.app.readFile(driveId, itemId, FILE_BYTES_MAX);
  if (bytes === null) return withoutText("the file is missing or too large");
  const sha256 = sha256Hex(bytes);
  const isSame = known?.sha256 === sha256 && known.name === facts.name;
  if (isSame)
    return {
      ...withoutText(known.reason ?? "", sha256),
      facts: { ...facts, kind: known.kind },
      language: known.language,
      reason: known.reason,
    };
  const read = await needs.texts.read(facts.name, bytes, signal);
  if (!read.ok)
    return { ...withoutText(read.reason, sha256), facts: { ...facts, kind: read.kind } };
  const language = await languageOf(fullText(read.text));
  const chunks = cutChunks(read.text);
  return {
    version,
    sha256,
    language,
    chunks,
    reason: null,
    facts: { ...facts, kind: read.kind },
    embedded: await embed(needs, language, chunks, signal),
  };
}

/**
 * Without vectors the chunks are still found by their words, so a model that is down does not hold up the index; they get
 * their vectors later.
 */
async function embed(
  { embedder, log }: IndexNeeds,
  language: string,
  chunks: readonly Chunk[],
  signal?: AbortSignal,
): Promise<Embedded | null> {
  if (embedder === null || !(embedder.languages?.includes(language) ?? true)) return null;
  try {
    const contents = chunks.map(({ content }) => content);
    return await embedChunks(embedder, contents, signal);
  } catch (error) {
    signal?.throwIfAborted();
    log.warn({ err: error }, "chunks are indexed without vectors");
    return null;
  }
}

/** Says on the record that the document can be found. Our own mark does not count as a new version. */
async function markRecord(
  { app, database, clock }: IndexNeeds,
  { facts, etag, isMarked }: DocumentRecord,
): Promise<void> {
  if (isMarked) return;
  try {
    const row = await app.dataverse.call<{ "@odata.etag": string }>({
      method: "PATCH",
      path: `${RECORDS}(${facts.documentId})`,
      headers: { "if-match": etag, prefer: "return=representation" },
      body: {
        sprk_searchindexed: true,
        sprk_searchindexname: INDEX_NAME,
        sprk_searchindexedon: new Date(clock.now()).toISOString(),
      },
    });
    await storeVersion(database, facts.documentId, /\d+/.exec(row["@odata.etag"])![0]);
  } catch (error) {
    // Somebody changed the record meanwhile; the next round reads it again and marks it.
    const isChanged =
      error instanceof DataverseError && (error.status === 412 || error.status === 404);
    if (!isChanged) throw error;
  }
}
