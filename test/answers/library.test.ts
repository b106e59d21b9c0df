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
