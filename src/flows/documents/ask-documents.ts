/** Questions about the documents that the caller may read, answered with citations from them. */
import {
  ANSWER_INSTRUCTIONS,
  ANSWER_SCHEMA,
  type Grounding,
  groundAnswer,
  NO_EVIDENCE,
  type Quote,
  questionData,
} from "../../analysis/answer.ts";
import type { Sender } from "../../filing/actors.ts";
import { toFault } from "../../lib/fault.ts";
import type { Log } from "../../lib/log.ts";
import type { ModelAnswer, Question } from "../../models/model.ts";
import { hasRarest } from "../../search/choose-passage.ts";
import { findChunks, type StoredChunk } from "../../search/chunk-table.ts";
import { pageAt } from "../../search/cut-chunks.ts";
import { findIndexed } from "../../search/indexed-document-table.ts";
import type { AskAnswer, Citation, FoundDocument, Searches } from "../specs/search.ts";
import {
  askRights,
  describe,
  findReadableCandidates,
  pageLink,
  type Readable,
  type SearchNeeds,
} from "./search-documents.ts";

/** Asks the model on behalf of a person and counts against that person's budget. */
export type AskModel = (
  personId: string,
  question: Question,
  signal?: AbortSignal,
) => Promise<ModelAnswer>;

export interface AskNeeds extends SearchNeeds {
  /** Null without a model: the best passages are quoted. */
  readonly askModel: AskModel | null;
}

const PASSAGES_MAX = 6;
const QUOTES_MAX = 3;

export async function askDocuments(
  needs: AskNeeds,
  caller: Sender,
  request: Parameters<Searches["ask"]>[1],
  signal?: AbortSignal,
): Promise<AskAnswer> {
  const { question } = request;
  const find = () => findReadableCandidates(needs, caller, { ...request, query: question }, signal);
  const readable = await find();
  if (needs.askModel === null || readable.documents.length === 0)
    return quote(needs, question, readable, null);
  const chunks = await bestChunks(needs, readable);
  const written = await ask(needs.askModel, needs.log, caller, question, chunks, signal);
  // The model may have taken minutes, and what it wrote may be of a document that the caller may no longer read.
  if (await hasLost(needs, caller, readable, signal))
    return quote(needs, question, await find(), "your rights changed while the model wrote");
  if (written.kind === "no-evidence") return without(question, readable.candidates.missing);
  if (written.kind === "rejected") return quote(needs, question, readable, written.why);
  const { answer, quotes } = written.answer;
  const citations = await cite(needs, chunks, quotes);
  if (citations === null)
    return quote(needs, question, await find(), "a cited document changed while the model wrote");
  const { missing } = readable.candidates;
  return { question, answer, kind: "model", citations, missing, degraded: null };
}

/** What the model makes of the passages; a model that fails is rejected like one whose answer cannot be used. */
async function ask(
  askModel: AskModel,
  log: Log,
  caller: Sender,
  question: string,
  chunks: readonly StoredChunk[],
  signal?: AbortSignal,
): Promise<Grounding> {
  const passages = chunks.map(({ content }) => ({ text: content }));
  const data = questionData(question, passages);
  const asked = { instructions: ANSWER_INSTRUCTIONS, data, name: "answer", schema: ANSWER_SCHEMA };
  try {
    const { content } = await askModel(caller.id, asked, signal);
    const grounding = groundAnswer(content, passages);
    if (grounding.kind !== "rejected") return grounding;
    return { kind: "rejected", why: `the model's answer was not used: ${grounding.why}` };
  } catch (error) {
    signal?.throwIfAborted();
    log.warn({ err: error }, "a question was answered without the model");
    return { kind: "rejected", why: `no model answers now (${toFault(error).code})` };
  }
}

async function hasLost(
  needs: AskNeeds,
  caller: Sender,
  { documents }: Readable,
  signal?: AbortSignal,
): Promise<boolean> {
  const ids = documents.map(({ documentId }) => documentId);
  const allowed = await askRights(needs, caller, ids, signal);
  return ids.some((id) => !allowed.has(id));
}

const without = (question: string, missing: readonly string[]): AskAnswer => ({
  question,
  answer: NO_EVIDENCE,
  kind: "none",
  citations: [],
  missing,
  degraded: null,
});

async function bestChunks(needs: AskNeeds, { documents }: Readable): Promise<StoredChunk[]> {
  const hits = documents
    .flatMap(({ chunks }) => chunks)
    .sort((a, b) => b.strength - a.strength)
    .slice(0, PASSAGES_MAX);
  const found = await findChunks(
    needs.database,
    hits.map(({ no }) => no),
  );
  return hits.flatMap(({ no }) => found.find((chunk) => chunk.no === no) ?? []);
}

/** Null if a cited passage has left the index since: its document was deleted or replaced. */
async function cite(
  { database }: AskNeeds,
  chunks: readonly StoredChunk[],
  quotes: readonly Quote[],
): Promise<Citation[] | null> {
  const cited = quotes.map(({ passage, words }) => ({ chunk: chunks[passage]!, words }));
  const nos = [...new Set(cited.map(({ chunk }) => chunk.no))];
  const ids = [...new Set(cited.map(({ chunk }) => chunk.documentId))];
  const [there, facts] = await Promise.all([findChunks(database, nos), findIndexed(database, ids)]);
  if (there.length < nos.length || facts.length < ids.length) return null;
  return cited.map(({ chunk, words }) => {
    const document = facts.find(({ documentId }) => documentId === chunk.documentId)!;
    const page = pageAt(chunk.pages, chunk.content.indexOf(words));
    return {
      documentId: document.documentId,
      name: document.name,
      chunkId: chunk.id,
      page: page?.number ?? null,
      label: page?.label ?? null,
      words,
      link: pageLink(document, page?.number ?? null),
    };
  });
}

/** If the best passage has the rarest word of the question, such as a name, one without it is about something else. */
function onSubject(
  found: readonly FoundDocument[],
  { query: { terms } }: Readable["candidates"],
): readonly FoundDocument[] {
  const isOn = ({ passages }: FoundDocument) =>
    passages.some(({ text, highlights }) =>
      hasRarest(
        highlights.map(([start, end]) => text.slice(start, end)),
        terms,
      ),
    );
  return found[0] !== undefined && isOn(found[0]) ? found.filter(isOn) : found;
}

/** The best passages themselves, one for each of the best documents. */
async function quote(
  needs: AskNeeds,
  question: string,
  { candidates, documents }: Readable,
  degraded: string | null,
): Promise<AskAnswer> {
  const best = documents.slice(0, QUOTES_MAX);
  const facts = await findIndexed(
    needs.database,
    best.map(({ documentId }) => documentId),
  );
  const found = await describe(
    needs,
    candidates,
    best,
    new Map(facts.map((each) => [each.documentId, each])),
    1,
  );
  const citations = onSubject(found, candidates).flatMap(({ documentId, name, passages }) =>
    passages
      .filter(({ text }) => text !== "")
      .map(({ chunkId, page, label, text: words, link }) => ({
        documentId,
        name,
        chunkId,
        page,
        label,
        words,
        link,
      })),
  );
  const { missing } = candidates;
  if (citations.length === 0) return { ...without(question, missing), degraded };
  const answer = citations.map(({ words }) => words).join("\n\n");
  return { question, answer, kind: "quotes", citations, missing, degraded };
}
