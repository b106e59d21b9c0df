/** An index with many chunks, and a Dataverse that lets everybody read everything. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { DataverseClient } from "../src/microsoft/dataverse/dataverse-client.ts";
import type { Embedder } from "../src/models/embedder.ts";
import { cutChunks } from "../src/search/cut-chunks.ts";
import { embedChunks } from "../src/search/embed-chunks.ts";
import { writeIndex } from "../src/search/write-index.ts";
import type { Database } from "../src/store/database.ts";
import type { Section } from "../tenant/content/library/compose-document.ts";
import { libraryDocument } from "../tenant/content/library/library.ts";
import { createRandom } from "../tenant/random.ts";
import { factsOf, idOf } from "./quality/index-library.ts";
import type { Closers } from "./throwaway.ts";

const LANGUAGES = { en: "english", de: "german", fr: "french", es: "spanish" } as const;
const SECTIONS_PER_DOCUMENT = 36;
const DIMENSIONS = 512;

/** Counts words in as many dimensions as the embedded model has: says nothing about meaning, but costs the same to scan. */
export const wordEmbedder: Embedder = {
  name: "words",
  languages: null,
  cosineMin: 0,
  weight: 1,
  split: null,
  embed: async (texts) => texts.map(toVector),
  close: async () => {},
};

function toVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 7;
    for (let at = 0; at < word.length; at++) hash = (hash * 31 + word.charCodeAt(at)) % 1_000_003;
    for (let turn = 0; turn < 8; turn++) {
      hash = (hash * 48_271) % 2_147_483_647;
      vector[hash % DIMENSIONS]! += hash & 1024 ? 1 : -1;
    }
  }
  return vector;
}

/** Documents made of the sections of the sample library in a new order; the same number gives the same document. */
export function createDocuments(seed: string) {
  const pools = new Map<keyof typeof LANGUAGES, Section[]>();
  for (let number = 0; number < 330; number++) {
    const { language, sections } = libraryDocument(seed, number);
    pools.set(language, [...(pools.get(language) ?? []), ...sections]);
  }
  return (number: number, version = 1) => {
    const random = createRandom(`bench/${number}/${version}`);
    const language = random.pick([...pools.keys()]);
    const pool = pools.get(language)!;
    const sections = Array.from({ length: SECTIONS_PER_DOCUMENT }, () => random.pick(pool));
    const text = sections.map(({ heading, text }) => `${heading}\n${text}`).join("\n\n");
    const page = { number: 1, label: null, text, boxes: [] };
    return { language: LANGUAGES[language], chunks: cutChunks({ pages: [page], omitted: [] }) };
  };
}

export async function indexDocument(
  database: Database,
  number: number,
  version: number,
  made: ReturnType<ReturnType<typeof createDocuments>>,
): Promise<number> {
  const contents = made.chunks.map(({ content }) => content);
  await writeIndex(database, {
    facts: factsOf(idOf(String(number)), `document ${number}.txt`, "txt"),
    ...{ ...made, version: String(version), sha256: `${number}/${version}`, reason: null },
    embedded: await embedChunks(wordEmbedder, contents),
  });
  return made.chunks.length;
}

/** Answers over HTTP, because one batch of rights is one request. */
export async function startRights(closers: Closers): Promise<DataverseClient> {
  const server = createServer((request, response) => {
    const ids = decodeURIComponent(request.url!).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
    const value = ids.map((id) => ({ sprk_documentid: id }));
    response.setHeader("content-type", "application/json").end(JSON.stringify({ value }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = async <T>({ path }: { path: string }): Promise<T> =>
    (await (await fetch(`${origin}/${path}`)).json()) as T;
  return { call } as DataverseClient; // only `call` is used to ask for rights
}
