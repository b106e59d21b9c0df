/** The sample library: what it contains, and who may read it. */
import { expect, it } from "vitest";
import { cutChunks } from "../../src/search/cut-chunks.ts";
import {
  LIBRARY_KINDS,
  LIBRARY_SIZE,
  type LibraryDocument,
  libraryDocument,
} from "../../tenant/content/library/library.ts";
import { makeLibraryFile } from "../../tenant/content/library/make-file.ts";
import { libraryQuestions } from "../../tenant/content/library/questions.ts";
import { freshDatabase } from "../helpers/database.ts";
import { anAnswerScene } from "./scene.ts";

const all = Array.from({ length: LIBRARY_SIZE }, (_, number) =>
  libraryDocument("postroom", number),
);
const textOf = ({ sections }: LibraryDocument) =>
  sections.map(({ heading, text }) => `${heading}\n${text}`).join("\n\n");
const valuesOf = <T>(read: (document: LibraryDocument) => T) => new Set(all.map(read));

it("the sample library is large, in four languages and every kind of file", () => {
  expect(all.length).toBeGreaterThanOrEqual(400);
  expect(valuesOf(({ matter }) => matter.name).size).toBe(25);
  expect(valuesOf(({ kind }) => kind)).toEqual(new Set(LIBRARY_KINDS));
  expect(valuesOf(({ language }) => language).size).toBe(4);
  const chunks = all.flatMap((document) =>
    cutChunks({
      pages: [{ number: 1, label: null, text: textOf(document), boxes: [] }],
      omitted: [],
    }),
  );
  expect(chunks.length).toBeGreaterThanOrEqual(3_000);
  const facts = all.flatMap(({ sections }) => sections.flatMap(({ fact }) => fact?.sentence ?? []));
  expect(facts.join()).not.toMatch(/[{}]|undefined/);
});

it("a hundred documents of the library repeat another one but for one fact", () => {
  const copies = all.filter(({ copyOf }) => copyOf !== null);
  expect(copies).toHaveLength(100);
  for (const copy of copies) {
    const original = new Set(all[copy.copyOf!]!.sections.map(({ text }) => text));
    expect(copy.sections.filter(({ text }) => !original.has(text))).toHaveLength(1);
  }
  const parties = all.filter(({ copyOf }) => copyOf === null).map(({ parties }) => parties.party);
  expect(new Set(parties).size).toBe(parties.length);
});

it("the same seed gives the same file, and another seed another one", async () => {
  for (const number of LIBRARY_KINDS.keys()) {
    const file = await makeLibraryFile(all[number]!);
    expect(file.equals(await makeLibraryFile(libraryDocument("postroom", number)))).toBe(true);
    expect(file.equals(await makeLibraryFile(libraryDocument("other", number)))).toBe(false);
  }
});

it("of the labelled questions one in five has at most one word of its answer, two in five have a typing error", async () => {
  const questions = libraryQuestions("postroom");
  const share = (kind: string) =>
    questions.filter((question) => question.kind === kind).length / questions.length;
  expect(questions.length).toBeGreaterThanOrEqual(150);
  expect([share("far"), share("typo")]).toEqual([0.2, 0.4]);
  const database = await freshDatabase({ connections: 1 });
  const names = { en: "english", de: "german", fr: "french", es: "spanish" };
  for (const { text, sentence, language } of questions.filter(({ kind }) => kind === "far")) {
    const { rows } = await database.query<{ shared: number }>(
      `SELECT cardinality(ARRAY(
         SELECT unnest(tsvector_to_array(to_tsvector($1::regconfig, $2)))
         INTERSECT SELECT unnest(tsvector_to_array(to_tsvector($1::regconfig, $3))))) AS shared`,
      [names[language], text, sentence],
    );
    expect(rows[0]!.shared, text).toBeLessThanOrEqual(1);
  }
});

it("two people of the sample company find the documents of different matters [H-15]", async () => {
  const scene = await anAnswerScene();
  expect(await scene.tenant.fillLibrary(10)).toEqual({ filed: 10, documents: 10, matters: 10 });
  expect(await scene.tenant.fillLibrary(10)).toMatchObject({ filed: 0, documents: 10 });
  await scene.follow();
  const { rows } = await scene.app.database.query(
    "SELECT name, reason FROM postroom.indexed_document WHERE reason IS NOT NULL OR chunk_count < 2",
  );
  expect(rows).toEqual([]);
  const people = { "nina.berg": scene.nina, "omar.haddad": scene.omar };
  for (const document of all.slice(0, 10)) {
    for (const [name, person] of Object.entries(people)) {
      const { results } = await scene.search(person, { q: document.parties.name });
      const names = results.map((result) => result.name);
      expect(names.includes(document.fileName)).toBe(document.matter.readers.includes(name));
    }
  }
});
