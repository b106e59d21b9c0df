import { describe, expect, it } from "vitest";
import { layOutPage, type Run } from "./lay-out-words.ts";

function aRun(text: string, x: number, y: number, more: Partial<Run> = {}): Run {
  return { text, x, y, width: text.length * 5, size: 10, turns: 0, face: "sans-serif", ...more };
}

function textOf(runs: Run[], width = 600, height = 800): string[] {
  return layOutPage(runs, width, height).map((line) => line.text);
}

describe("lines of a page", () => {
  it("run from top to bottom and from left to right, in whatever order they were painted", () => {
    const runs = [aRun("100,00 EUR", 400, 100), aRun("Kurs", 50, 120), aRun("Betrag", 50, 100)];
    expect(textOf(runs)).toEqual(["Betrag 100,00 EUR", "Kurs"]);
  });

  it("include text slightly off the baseline, such as a smaller unit or a footnote mark", () => {
    expect(textOf([aRun("12,50", 50, 100), aRun("1", 80, 97, { size: 6 })])).toEqual(["12,50 1"]);
  });

  it("stay separate when they are close together", () => {
    expect(
      textOf([aRun("above", 50, 100, { size: 8 }), aRun("below", 50, 107, { size: 8 })]),
    ).toEqual(["above", "below"]);
  });

  it("join pieces of one word that were painted apart, and keep columns apart", () => {
    const runs = [aRun("1.2", 50, 100), aRun("34,56", 65, 100), aRun("EUR", 200, 100)];
    const [line] = layOutPage(runs, 600, 800);
    expect(line!.words.map((word) => word.text)).toEqual(["1.234,56", "EUR"]);
    expect(line!.words[0]).toMatchObject({ x: 50, width: 40 });
  });

  it("drop text that was painted twice to look bold", () => {
    expect(textOf([aRun("Total", 50, 100), aRun("Total", 50.4, 100)])).toEqual(["Total"]);
  });

  it("place each word inside its run by the widths of its letters", () => {
    const [line] = layOutPage([aRun("iiii MMMM", 0, 100, { width: 100 })], 600, 800);
    const [narrow, wide] = line!.words;
    expect(narrow!.width).toBeLessThan(wide!.width / 3);
    expect(wide!.x + wide!.width).toBeCloseTo(100);
  });

  it("leave out invisible text", () => {
    expect(
      textOf([aRun("visible", 50, 100), aRun("hidden", 700, 100), aRun("above", 50, -40)]),
    ).toEqual(["visible"]);
  });

  it("lose control characters, direction marks and broken characters", () => {
    expect(textOf([aRun("a\u0000b\u202ec\ud800d\ufffd", 50, 100)])).toEqual(["abcd"]);
  });

  it.each([
    [1, { x: 500, y: 60 }, { x: 500, y: 80 }],
    [2, { x: 550, y: 700 }, { x: 500, y: 700 }],
    [3, { x: 100, y: 740 }, { x: 100, y: 720 }],
  ] as const)(
    "read text turned by %i quarters, and leave its box where it stands",
    (turns, first, second) => {
      const runs = [
        aRun("Kauf", first.x, first.y, { turns }),
        aRun("25", second.x, second.y, { turns, width: 10 }),
      ];
      // The second run continues the first one in its own direction.
      const [line] = layOutPage([runs[1]!, runs[0]!], 600, 800);
      expect(line!.text).toMatch(/^Kauf ?25$/u);
      const [word] = line!.words;
      expect(Math.abs(word!.x - first.x)).toBeLessThan(60);
      expect(Math.abs(word!.y - first.y)).toBeLessThan(60);
    },
  );

  it("put the main direction of the page first and a stamp in the margin last", () => {
    const stamp = aRun("COPY", 580, 50, { turns: 1 });
    expect(textOf([stamp, aRun("a longer line of text", 50, 700)])).toEqual([
      "a longer line of text",
      "COPY",
    ]);
  });
});
