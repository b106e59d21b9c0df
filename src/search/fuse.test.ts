import { expect, it } from "vitest";
import { fuse } from "./fuse.ts";

const hits = (...nos: number[]) => nos.map((no) => ({ no, documentId: `d${no}`, parentId: null }));
const order = (weight: number) =>
  fuse([
    { hits: hits(1, 2, 3), weight: 1 },
    { hits: hits(8, 3, 9), weight },
  ]).map(({ no }) => no);

it("a hit of both lists comes first, and then the lists take turns", () => {
  expect(order(1)).toEqual([3, 1, 8, 2, 9]);
});

it("a list that counts less adds its own hits at the end, and no longer changes who is first", () => {
  expect(order(0.01)).toEqual([1, 2, 3, 8, 9]);
});

it("only the first hit of a list that counts fully has the score 1", () => {
  const [first, , , fourth] = fuse([
    { hits: hits(1, 2, 3), weight: 1 },
    { hits: hits(8), weight: 0.5 },
  ]);
  expect([first!.score, fourth!.score]).toEqual([1, 0.5]);
});
