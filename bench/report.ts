/**
 * The figures as a table, and docs/performance.md from the JSON lines of a run:
 *   node --import tsx bench/report.ts run.jsonl
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Figure } from "./harness.ts";

const DOCUMENT = new URL("../docs/performance.md", import.meta.url);
const BEGIN = "<!-- figures: made by bench/report.ts, do not edit -->";
const END = "<!-- end of figures -->";

type Line = Figure & { load: number; cores: number; node: string; quick: boolean };

export function toTable(figures: readonly Figure[]): string {
  const head = ["bench", "case", "ours", "against", "theirs", "ratio", "floor", "aim", "spread"];
  const rows = figures.map((figure) => [
    figure.bench,
    figure.case,
    `${figure.ours.toLocaleString("en")} ${figure.unit}`,
    figure.against ?? "",
    figure.theirs?.toLocaleString("en") ?? "",
    figure.ratio?.toString() ?? "",
    `${boundOf(figure)}${figure.holds ? "" : " **missed**"}`,
    figure.aim?.toString() ?? "",
    figure.spread?.toString() ?? "",
  ]);
  const extra = figures.map((figure) => [
    figure.cpuUsPerItem?.toString() ?? "",
    figure.peakRssMb?.toString() ?? "",
  ]);
  return toMarkdown(
    [...head, "CPU µs/item", "peak MB"],
    rows.map((row, index) => [...row, ...extra[index]!]),
  );
}

function boundOf({ floor, isLimit }: Figure): string {
  if (floor === null) return "";
  return `${isLimit ? "<" : "≥"} ${floor.toLocaleString("en")}`;
}

function toMarkdown(head: readonly string[], rows: readonly string[][]): string {
  const all = [head, ...rows];
  const widths = head.map((_, place) => Math.max(...all.map((row) => row[place]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, place) => cell.padEnd(widths[place]!)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

function makeDocument(lines: readonly Line[]): void {
  if (lines.some((line) => line.quick)) throw new Error("figures of --quick are not published");
  const { cores, node } = lines[0]!;
  const loads = lines.map((line) => line.load);
  const machine = `${cores} cores, Node ${node}; load average before the benchmarks ${Math.min(...loads)} to ${Math.max(...loads)}.`;
  const notes = lines.flatMap((line) =>
    line.note === undefined ? [] : [`- ${line.bench}, ${line.case}: ${line.note}`],
  );
  const text = readFileSync(DOCUMENT, "utf8");
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error("docs/performance.md has lost its marks");
  const made = [BEGIN, machine, "", toTable(lines), "", ...new Set(notes), END].join("\n");
  writeFileSync(DOCUMENT, `${before}${made}${after}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = readFileSync(process.argv[2]!, "utf8").split("\n");
  makeDocument(
    lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Line),
  );
}
