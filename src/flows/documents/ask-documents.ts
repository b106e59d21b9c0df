/** Questions about the documents that the caller may read, answered with citations from them. */
import {
  ANSWER_INSTRUCTIONS,
  ANSWER_SCHEMA,
  groundAnswer,
  NO_EVIDENCE,
  type Quote,
  questionData,
} from "../../analysis/answer.ts";
import type { Sender } from "../../filing/actors.ts";
import { toFault } from "../../lib/fault.ts";
import type { ModelAnswer, Question } from "../../models/model.ts";
import { findChunks, type StoredChunk } from "../../search/chunk-table.ts";
import { pageAt } from "../../search/cut-chunks.ts";
import { findIndexed } from "../../search/indexed-document-table.ts";
import type { AskAnswer, Citation, Searches } from "../specs/search.ts";
import {
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
  const readable = await findReadableCandidates(
    needs,
    caller,
    { ...request, query: question },
    signal,
  );
  const { missing } = readable.candidates;
  if (readable.documents.length === 0) return without(question, missing);
  if (needs.askModel === null) return quote(needs, question, readable, null);
  const chunks = await bestChunks(needs, readable);
  try {
    const { content } = await needs.askModel(
      caller.id,
      {
        instructions: ANSWER_INSTRUCTIONS,
        data: questionData(question, chunks.map(toPassage)),
        name: "answer",
        schema: ANSWER_SCHEMA,
      },
      signal,
    );
    const grounding = groundAnswer(content, chunks.map(toPassage));
    if (grounding.kind === "no-evidence") return without(question, missing);
    if (grounding.kind === "rejected")
      return quote(needs, question, readable, `the model's answer was not used: ${grounding.why}`);
    const { answer, quotes } = grounding.answer;
    return {
      question,
      answer,
      kind: "model",
      citations: await cite(needs, chunks, quotes),
      ...{ missing, degraded: null },
    };
  } catch (error) {
    signal?.throwIfAborted();
    needs.log.warn({ err: error }, "a question was answered without the model");
    return quote(needs, question, readable, `no model answers now (${toFault(error).code})`);
  }
}

const without = (question: string, missing: readonly string[]): AskAnswer => ({
  ...{ question, answer: NO_EVIDENCE, kind: "none", citations: [], missing, degraded: null },
});

const toPassage = ({ content }: StoredChunk) => ({ text: content });

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

async function cite(
  { database }: AskNeeds,
  chunks: readonly StoredChunk[],
  quotes: readonly Quote[],
): Promise<Citation[]> {
  const facts = await findIndexed(
    database,
    chunks.map(({ documentId }) => documentId),
  );
  return quotes.flatMap(({ passage, words }) => {
    const chunk = chunks[passage]!;
    const document = facts.find(({ documentId }) => documentId === chunk.documentId);
    if (document === undefined) return []; // deleted meanwhile
    const page = pageAt(chunk.pages, chunk.content.indexOf(words));
    return [
      {
        documentId: document.documentId,
        name: document.name,
        chunkId: chunk.id,
        page: page?.number ?? null,
        label: page?.label ?? null,
        words,
        link: pageLink(document, page?.number ?? null),
      },
    ];
  });
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
  const citations = found.flatMap(({ documentId, name, passages }) =>
    passages
      .filter(({ text }) => text !== "")
      .map(({ chunkId, page, label, text: words, link }) => ({
        ...{ documentId, name, chunkId, page, label, words, link },
      })),
  );
  const { missing } = candidates;
  if (citations.length === 0) return { ...without(question, missing), degraded };
  const answer = citations.map(({ words }) => words).join("\n\n");
  return { question, answer, kind: "quotes", citations, missing, degraded };
}
