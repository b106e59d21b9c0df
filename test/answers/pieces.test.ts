/** A model that was made for sentences: each sentence of a chunk has a vector, and the chunk is as near as its nearest one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { factsOf, idOf, TENANT_ID } from "../../bench/quality/index-library.ts";
import { systemClock } from "../../src/lib/clock.ts";
import type { Embedder } from "../../src/models/embedder.ts";
import { cutChunks } from "../../src/search/cut-chunks.ts";
import { createVectorUpkeep, embedChunks } from "../../src/search/embed-chunks.ts";
import { createSearchIndex, type SearchMode } from "../../src/search/search-index.ts";
import { createVectorIndex } from "../../src/search/vector-index.ts";
import { writeIndex } from "../../src/search/write-index.ts";
import type { Database } from "../../src/store/database.ts";
import { freshDatabase } from "../helpers/database.ts";

/** Knows what a few words mean, one direction each, and nothing else. */
const MEANINGS: readonly RegExp[] = [/rent|lodging/, /notice|leave/, /pump|boiler/, /lift|stairs/];
const asked: string[] = [];
const embedder: Embedder = {
  ...{ name: "meanings", languages: null, cosineMin: 0.6, weight: 1 },
  split: (text) => text.split("\n").filter((line) => line !== ""),
  async embed(texts) {
    asked.push(...texts);
    return texts.map((text) => {
      const all = MEANINGS.flatMap((meaning) => {
        const sign = meaning.test(text) ? 1 : -1;
        return new Array<number>(16).fill(sign / 8);
      });
      return Float32Array.from(all);
    });
  },
  close: async () => {},
};

let database: Database;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  await write("all.txt", "The rent is due.\nAsk the boiler man.\nTake the stairs.\nWe wrote it.");
  await write("leave.txt", "They leave soon.\nNothing else is known of Kestrelbrook.");
  await write("kestrelbrook.txt", "Kestrelbrook is a village.\nIt has a church.");
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

async function write(name: string, text: string, isEmbedded = true): Promise<void> {
  const page = { number: 1, label: null, text, boxes: [] };
  const chunks = cutChunks({ pages: [page], omitted: [] });
  const contents = chunks.map(({ content }) => content);
  await writeIndex(database, {
    facts: factsOf(idOf(name), name, "txt"),
    ...{ version: "1", sha256: name, language: "english", chunks, reason: null },
    embedded: isEmbedded ? await embedChunks(embedder, contents) : null,
  });
}

async function find(query: string, mode: SearchMode): Promise<string[]> {
  const vectors = createVectorIndex(database, embedder);
  const index = createSearchIndex({ database, clock: systemClock, vectors });
  closers.push(index.close);
  const filter = { tenantId: TENANT_ID };
  const { documents } = await index.find(query, filter, async (ids) => new Set(ids), { mode });
  const names = ["all.txt", "leave.txt", "kestrelbrook.txt", "late.txt"];
  return documents.map(({ documentId }) => names.find((name) => idOf(name) === documentId)!);
}

describe("a chunk with several pieces", () => {
  it("is found by the meaning of one of them, whatever the others say", async () => {
    expect(await find("lodging", "vector")).toEqual(["all.txt"]);
    expect(await find("pump", "vector")).toEqual(["all.txt"]);
  });

  it("that words and meaning find comes before one that only words find", async () => {
    expect(await find("When is the notice of Kestrelbrook?", "hybrid")).toEqual([
      "leave.txt",
      "kestrelbrook.txt",
    ]);
  });

  it("keeps its vectors when others get theirs later", async () => {
    await write("late.txt", "The lift is new.\nThe rent is old.", false);
    expect(await find("stairs", "vector")).toEqual(["all.txt"]);
    asked.length = 0;
    const upkeep = createVectorUpkeep(database, embedder);
    expect(await upkeep.catchUp(() => false)).toBe(1);
    expect(asked).toEqual(["The lift is new.", "The rent is old."]);
    expect(await upkeep.catchUp(() => false)).toBe(0);
    expect((await find("stairs", "vector")).toSorted()).toEqual(["all.txt", "late.txt"]);
  });
});
