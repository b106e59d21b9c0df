import { afterAll, describe, expect, it } from "vitest";
import { systemClock } from "../src/lib/clock.ts";
import { createPdfReader } from "../src/reading/read-pdf.ts";
import { makeNote } from "../tenant/content/notes/make-note.ts";
import { createRandom, type Random } from "../tenant/random.ts";

const MUTANTS = 150;
const reader = createPdfReader({ clock: systemClock });
afterAll(() => reader.close());

/** Changes a file in up to twenty places: a byte, a stretch, a piece of itself, a number. */
function mutate(original: Buffer, random: Random): Buffer {
  const bytes = Buffer.from(original);
  for (let left = 1 + random.below(20); left > 0; left--) {
    const at = random.below(bytes.length);
    const end = Math.min(bytes.length, at + random.below(300));
    const way = random.below(4);
    if (way === 0) bytes[at] = random.below(256);
    else if (way === 1) bytes.fill(random.below(256), at, end);
    else if (way === 2) bytes.copy(bytes, random.below(bytes.length), at, end);
    else bytes.write(String(random.below(2 ** 31)), at, "latin1");
  }
  return bytes;
}

describe("files damaged at random", () => {
  it("are read or refused with a reason, and the reader lives", async () => {
    const random = createRandom("damage");
    const notes = await Promise.all(Array.from({ length: 5 }, (_, seed) => makeNote({ seed })));
    const outcomes = new Map<string, number>();
    for (let count = 0; count < MUTANTS; count++) {
      const result = await reader.read(mutate(random.pick(notes).pdf, random));
      const outcome = result.ok ? "read" : result.reason;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(outcomes.get("crashed") ?? 0).toBe(0);
    expect(outcomes.get("read")).toBeGreaterThan(0);
    expect(outcomes.get("damaged")).toBeGreaterThan(0);
    expect((await reader.read(notes[0]!.pdf)).ok).toBe(true);
  });
});
