import { describe, expect, it } from "vitest";
import { rankReadable } from "./readable-ranks.ts";

/** One hit of each of so many documents, which belong to the row. */
const ofRow = (parentId: string | null, count: number) =>
  Array.from({ length: count }, (_, number) => ({ documentId: `${parentId}-${number}`, parentId }));

function search(documents: ReturnType<typeof ofRow>, isReadable: (id: string) => boolean) {
  const asked: number[] = [];
  const hits = documents.map((each, no) => ({ ...each, no }));
  const mayRead = async (ids: readonly string[]) => {
    asked.push(ids.length);
    return new Set(ids.filter(isReadable));
  };
  return rankReadable([{ hits, weight: 1 }], mayRead).then(({ documents, isCut }) => ({
    ...{ asked, isCut, found: documents.map(({ documentId }) => documentId) },
  }));
}

describe("readable documents", () => {
  it("of 200 candidates are found by asking once", async () => {
    const answer = await search(ofRow("a", 200), (id) => /-(?:7|199)$/.test(id));
    expect(answer).toEqual({ asked: [200], isCut: false, found: ["a-7", "a-199"] });
  });

  it("are not hidden by the documents of rows that the caller may not read, and never more than 200 are asked for", async () => {
    const many = [...ofRow("closed", 400), ...ofRow("own", 30)];
    const own = await search(many, (id) => id.startsWith("own"));
    expect(own).toMatchObject({ asked: [100, 100], isCut: true });
    expect(own.found).toEqual(ofRow("own", 30).map(({ documentId }) => documentId));
  });

  it("of a row where one was readable and one was not, or of no row, are asked for by their rank", async () => {
    for (const row of ["mixed", null]) {
      const many = [...ofRow(row, 250), ...ofRow("unknown", 100)];
      const { found } = await search(many, (id) => /-(?:5|150)$/.test(id));
      expect(found).toEqual([`${row}-5`, `${row}-150`]);
    }
  });
});
