/** Files of other systems: one JSON object per line, checked line by line, in batches. */
import { open } from "node:fs/promises";
import type * as z from "zod";
import { CommandError } from "../base/exit.ts";

const BATCH = 500;
const LINE_LENGTH_MAX = 1_000_000;
/** A file of another shape has a fault in every line; a few are enough to see that. */
const FAULTS_SHOWN = 5;

export interface Batch<Row> {
  readonly rows: readonly Row[];
  /** Lines so far, and how many of them are not what they should be. */
  readonly lines: number;
  readonly malformed: number;
  readonly faults: readonly string[];
}

/** Passes over lines that are malformed, and says which they are. */
export async function* readRows<Row>(
  file: string,
  shape: z.ZodType<Row>,
): AsyncGenerator<Batch<Row>> {
  const faults: string[] = [];
  let [lines, malformed] = [0, 0];
  let rows: Row[] = [];
  const handle = await open(file);
  if ((await handle.stat()).isDirectory()) {
    await handle.close();
    throw new CommandError(`${file}: it is a folder, not a file`);
  }
  for await (const text of handle.readLines()) {
    lines += 1;
    const line = lines === 1 ? text.replace(/^\uFEFF/, "") : text; // as Windows writes files
    if (line.trim() === "") continue;
    const read = readRow(line, shape);
    if ("row" in read) rows.push(read.row);
    else {
      malformed += 1;
      if (faults.length < FAULTS_SHOWN) faults.push(`line ${lines}: ${read.problem}`);
    }
    if (rows.length < BATCH) continue;
    yield { rows, lines, malformed, faults };
    rows = [];
  }
  yield { rows, lines, malformed, faults };
}

function readRow<Row>(line: string, shape: z.ZodType<Row>): { row: Row } | { problem: string } {
  if (line.length > LINE_LENGTH_MAX)
    return { problem: `longer than ${LINE_LENGTH_MAX} characters` };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return {
      problem: line.startsWith("[")
        ? "begins an array; each line must be an object"
        : "is not JSON",
    };
  }
  const read = shape.safeParse(value);
  if (read.success) return { row: read.data };
  const [issue] = read.error.issues;
  return { problem: `${issue!.path.join(".") || "the row"} is missing or has the wrong type` };
}
