import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../src/lib/clock.ts";
import { findTesseract } from "../src/reading/ocr.ts";
import { createPdfReader } from "../src/reading/read-pdf.ts";
import { makeNote } from "../tenant/content/notes/make-note.ts";

let folder: string;

/** Stand-ins with the two programs' command lines: a blank page of 200 × 400 dots, and four words on it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ocr-"));
  await chmod(folder, 0o755);
  const head =
    "\\211PNG\\015\\012\\032\\012\\000\\000\\000\\015IHDR\\000\\000\\000\\310\\000\\000\\001\\220";
  await program(
    "pdftoppm",
    `cat >/dev/null\ncase "$*" in *"-f 1 "*) printf '${head}';; *) exit 99;; esac`,
  );
  const rows = [
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext",
    "4\t1\t1\t1\t1\t0\t0\t0\t90\t20\t-1\t",
    "5\t1\t1\t1\t2\t1\t20\t100\t60\t20\t91\tISIN",
    "5\t1\t1\t1\t2\t2\t100\t100\t90\t20\t88\tDE000ZNL4E10",
    "5\t1\t1\t1\t1\t2\t80\t50\t40\t20\t90\t25",
    "5\t1\t1\t1\t1\t1\t20\t50\t50\t20\t95\tKauf",
  ];
  await program("tesseract", `cat >/dev/null\nprintf '${rows.join("\\n")}\\n'`);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function program(name: string, body: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${body}\n`);
  await chmod(join(folder, name), 0o755);
}

describe("pages that are pictures", () => {
  it("are refused if the programs are not installed", () => {
    expect(findTesseract({ folders: ["/nowhere"] })).toBeNull();
  });

  it("are read through the installed programs, with the place of every word", async () => {
    const ocr = findTesseract({ folders: [folder, "/usr/bin"] })!;
    const reader = createPdfReader({ clock: systemClock, ocr, size: 1 });
    const scanned = await makeNote({ seed: 1, kind: "buy", variant: "scanned" });
    const result = await reader.read(scanned.pdf);
    await reader.close();
    if (!result.ok) throw new Error(result.detail);
    expect(result.isFromImage).toBe(true);
    expect(result.reading.text).toBe("Kauf 25\nISIN DE000ZNL4E10");
    const [page] = result.reading.pages;
    expect(page).toMatchObject({ number: 1, width: 72, height: 144 });
    expect(page!.lines[0]!.words[1]!.x).toBeCloseTo(28.8);
  });
});
