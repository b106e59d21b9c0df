import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../src/lib/clock.ts";
import { createPdfReader, type PdfReader } from "../src/reading/read-pdf.ts";
import { makeNote } from "../tenant/content/notes/make-note.ts";
import { bundleProgram } from "./helpers/bundle.ts";

let reader: PdfReader;

beforeAll(async () => {
  const childPath = await bundleProgram(
    new URL("../src/reading/sandbox-child.ts", import.meta.url),
  );
  reader = createPdfReader({ clock: systemClock, childPath, size: 1 });
});

afterAll(() => reader.close());

describe("the sandbox's child as JavaScript", () => {
  it("reads under Node's permission model", async () => {
    const note = await makeNote({ seed: 2, kind: "fx" });
    const result = await reader.read(note.pdf);
    expect(result).toMatchObject({ ok: true, reading: { text: note.text } });
    if (process.platform !== "linux") return;
    const command = readFileSync(`/proc/${reader.stats().pids[0]}/cmdline`, "latin1").split("\0");
    expect(command.some((argument) => /^--(?:experimental-)?permission$/u.test(argument))).toBe(
      true,
    );
  });
});
