import { expect, it } from "vitest";
import { createWordFinder } from "./answer.ts";
import { readProfile } from "./profile.ts";

it("words are found as the text prints them, whatever their case and the blanks between them", () => {
  const find = createWordFinder("Lease by\n  Rhône\tConseil  SAS, İstanbul. GRÖSSE a.b");
  expect(find("rhône conseil sas")).toBe("Rhône\tConseil  SAS");
  expect(find(" Größe ")).toBeNull();
  expect(find("grösse A.B")).toBe("GRÖSSE a.b");
  expect(find("İstanbul. GRÖ")).toBe("İstanbul. GRÖ");
  for (const absent of ["", "  ", "a*b", "Conseil AG"]) expect(find(absent)).toBeNull();
});

it("a profile full of words that a document almost contains is read at once", () => {
  const almost = Array.from({ length: 200 }, (_, at) => `${"a ".repeat(90)}b${at}`);
  const lists = { parties: almost, people: almost, dates: almost, amounts: almost };
  const content = {
    summary: "s",
    tldr: "t",
    kind: "k",
    keywords: [],
    references: almost,
    ...lists,
  };
  const startedMs = performance.now();
  const profile = readProfile(JSON.stringify(content), `${"a ".repeat(50_000)}. b0 b1`);
  expect(profile.parties).toEqual([]);
  expect(performance.now() - startedMs).toBeLessThan(3_000);
});
