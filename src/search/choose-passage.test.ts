import { describe, expect, it } from "vitest";
import { choosePassage } from "./choose-passage.ts";

const MARKS = { start: "<", end: ">" };
const terms = [
  { stems: [{ stem: "year", weight: 1 }] },
  { stems: [{ stem: "fee", weight: 3 }] },
  { stems: [{ stem: "alderbrook", weight: 5 }] },
];
const filler = "The chair thanked everybody and closed the point. ".repeat(12);

describe("the passage of a chunk", () => {
  it("is where most of the question stands, not where its commonest word stands", () => {
    const marked = `The term is 11 <years>. Another <year> follows. ${filler}<Alderbrook> asks for a <yearly> <fee> of 4,200 pounds. ${filler}`;
    const passage = choosePassage(marked, MARKS, terms);
    expect(passage).toMatch(/^<Alderbrook> asks for a <yearly> <fee> of 4,200 pounds\./);
    expect(passage).not.toContain("11 <years>");
  });

  it("is a part of the text, word for word, that begins and ends with a sentence", () => {
    const marked = `${filler}First the <fee> is named; then it is paid. ${filler}`;
    const passage = choosePassage(marked, MARKS, terms).replaceAll(/[<>]/g, "");
    expect(marked.replaceAll(/[<>]/g, "")).toContain(passage);
    expect(passage).toMatch(/^First the fee/);
    expect(passage).toMatch(/\.$/);
  });

  it("is short even if nothing in the text ends", () => {
    const passage = choosePassage(
      `${"word ".repeat(500)}<fee> ${"word ".repeat(500)}`,
      MARKS,
      terms,
    );
    expect(passage).toContain("<fee>");
    expect(passage.length).toBeLessThan(600);
  });

  it("is the beginning if no word matches", () => {
    expect(choosePassage(filler, MARKS, terms)).toBe(
      filler.slice(0, choosePassage(filler, MARKS, terms).length),
    );
    expect(choosePassage("", MARKS, terms)).toBe("");
  });

  it("is chosen at once in a text that consists of nothing but the words of a long question", () => {
    const alike = "abcdefghijklmnopqrstuvwxyzäöüßéè";
    const long = [...alike].map((sign) => ({ stems: [{ stem: `abc${sign}`, weight: 1 }] }));
    const marked = [...alike]
      .map((sign) => `<abc${sign}> `)
      .join("")
      .repeat(25);
    const startedMs = performance.now();
    for (let count = 0; count < 20; count++)
      expect(choosePassage(marked, MARKS, long)).toContain("<abca>");
    expect(performance.now() - startedMs).toBeLessThan(4_000);
  });
});
