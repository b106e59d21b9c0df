import { describe, expect, it } from "vitest";
import { CHUNK_LENGTH, cutChunks, fullText, pageAt } from "./cut-chunks.ts";

const aPage = (text: string, number = 1) => ({ number, label: null, text, boxes: [] });
const aDocument = (...texts: string[]) => ({
  pages: texts.map((text, at) => aPage(text, at + 1)),
  omitted: [],
});

describe("a document is cut into chunks", () => {
  const sentence = (number: number) => `Clause ${number} says what the parties owe each other. `;
  const long = Array.from({ length: 400 }, (_, number) => sentence(number)).join("");

  it("of at most 4,000 characters, each of which ends with a sentence in the second half of its window", () => {
    const chunks = cutChunks(aDocument(long));
    expect(CHUNK_LENGTH).toBe(4_000);
    for (const { content } of chunks.slice(0, -1)) {
      expect(content.length).toBeGreaterThan(2_000);
      expect(content.length).toBeLessThanOrEqual(4_000);
      expect(content).toMatch(/owe each other\. $/);
    }
    expect(chunks.map(({ index }) => index)).toEqual(chunks.map((_, at) => at));
  });

  it("that overlap by up to 200 characters and leave nothing out", () => {
    const document = aDocument(long);
    const chunks = cutChunks(document);
    let end = 0;
    for (const { start, content } of chunks) {
      if (end > 0) {
        expect(end - start).toBeLessThanOrEqual(200);
        expect(end - start).toBeGreaterThan(100);
      }
      expect(fullText(document).slice(start, start + content.length)).toBe(content);
      end = start + content.length;
    }
    expect(end).toBe(long.length);
  });

  it("at a space where there is no sentence, and never inside a character where there is no space", () => {
    const words = cutChunks(aDocument("word ".repeat(2_000)));
    expect(words[0]!.content).toMatch(/word $/);
    const signs = cutChunks(aDocument(`x${"😀".repeat(4_000)}`));
    for (const { content } of signs) expect(Buffer.from(content).toString()).toBe(content);
  });

  it("that know on which page a place in them is", () => {
    const [chunk] = cutChunks(aDocument("First page.", "Second page."));
    const at = (word: string) => pageAt(chunk!.pages, chunk!.content.indexOf(word))!.number;
    expect([at("First"), at("Second")]).toEqual([1, 2]);
  });

  it("unless it has no text", () => {
    expect(cutChunks(aDocument("", " \n "))).toEqual([]);
  });
});
