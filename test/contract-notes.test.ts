import { afterAll, describe, expect, it } from "vitest";
import { extractTrades } from "../src/extract/extract-trades.ts";
import { systemClock } from "../src/lib/clock.ts";
import { createPdfReader } from "../src/reading/read-pdf.ts";
import type { Reading } from "../src/reading/reading.ts";
import { makeNote } from "../tenant/content/notes/make-note.ts";
import {
  KINDS,
  LANGUAGES,
  type Note,
  type NoteRequest,
  type Source,
  TRAPS,
} from "../tenant/content/notes/note.ts";
import { SKINS } from "../tenant/content/notes/skins.ts";

const reader = createPdfReader({ clock: systemClock });
afterAll(() => reader.close());

/** Every skin with every kind and every language, spread so that each pair occurs. */
const requests: NoteRequest[] = SKINS.flatMap((skin, at) =>
  KINDS.map((kind, index) => ({
    seed: `${skin.id}/${kind}`,
    skin: skin.id,
    kind,
    language: LANGUAGES[(at + index) % LANGUAGES.length]!,
    traps: index % 2 === 0 ? TRAPS : [],
  })),
);

async function readNote(request: NoteRequest): Promise<{ note: Note; reading: Reading }> {
  const note = await makeNote(request);
  const result = await reader.read(note.pdf);
  if (!result.ok) throw new Error(`${request.seed}: ${result.reason}, ${result.detail}`);
  return { note, reading: result.reading };
}

/** The text in the box, with a tolerance of one point on every side. */
function textIn(reading: Reading, { page, box }: Source): string {
  const words = reading.pages[page - 1]!.lines.flatMap((line) => line.words);
  const inside = words.filter((word) => {
    const middle = word.y + word.height / 2;
    const isOnLine = middle > box.y - 1 && middle < box.y + box.height + 1;
    return isOnLine && word.x + word.width > box.x + 1 && word.x < box.x + box.width - 1;
  });
  return inside.map((word) => word.text).join(" ");
}

function misplaced(note: Note, reading: Reading): string[] {
  return note.truth.trades.flatMap((trade) =>
    Object.entries(trade.sources)
      .filter(([, source]) => !textIn(reading, source).includes(source.text))
      .map(([field, source]) => `${field} ${source.text}: found ${textIn(reading, source)}`),
  );
}

/** Values whose box, which a reviewer sees lit on the page, holds other words than those that were read. */
function wronglyLit(reading: Reading): { lit: number; wrong: string[] } {
  const fields = extractTrades(reading).trades.flatMap((trade) => Object.entries(trade.perField));
  const lit = fields.flatMap(([field, { source }]) =>
    source?.box ? [{ field, ...source, box: source.box }] : [],
  );
  const wrong = lit.flatMap(({ field, page, box, text }) => {
    const found = textIn(reading, { page, box, text });
    const parts = text.split(/\s+/);
    const isRight =
      parts.every((part) => found.includes(part)) &&
      found
        .split(" ")
        .every((word) => parts.some((part) => word.includes(part) || part.includes(word)));
    return isRight ? [] : [`${field} ${text}: lit ${found}`];
  });
  return { lit: lit.length, wrong };
}

describe("contract notes read back by the PDF reader", () => {
  it.each(["plain", "rotated"] as const)(
    "the words of a %s note are returned line by line, and every value is in its box and lit there",
    async (variant) => {
      let boxes = 0;
      let lit = 0;
      for (const request of requests) {
        const { note, reading } = await readNote({ ...request, variant });
        expect(reading.text).toBe(note.text);
        expect(misplaced(note, reading)).toEqual([]);
        const regions = wronglyLit(reading);
        expect([request.seed, regions.wrong]).toEqual([request.seed, []]);
        lit += regions.lit;
        boxes += note.truth.trades.reduce(
          (sum, trade) => sum + Object.keys(trade.sources).length,
          0,
        );
      }
      expect(boxes).toBeGreaterThan(1500);
      expect(lit).toBeGreaterThan(1500);
    },
  );

  it("a scanned and a locked note are refused, each with its own reason [R25]", async () => {
    const scanned = await makeNote({ seed: 1, kind: "buy", variant: "scanned" });
    const locked = await makeNote({ seed: 1, kind: "buy", variant: "encrypted" });
    expect(await reader.read(scanned.pdf)).toEqual({
      ...{ ok: false, reason: "no-text" },
      detail: "1 page without any text: scanned or drawn",
    });
    expect(await reader.read(locked.pdf)).toMatchObject({ ok: false, reason: "encrypted" });
  });
});
