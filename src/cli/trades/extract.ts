import { dirname, resolve } from "node:path";
import { Command } from "commander";
import type { Extraction } from "../../extract/answer/extraction.ts";
import { predictionOf } from "../../extract/answer/prediction.ts";
import { explainExtraction } from "../../extract/explain.ts";
import { extractTrades, readingOfText } from "../../extract/extract-trades.ts";
import { SHIPPED, strictly } from "../../extract/judgement/weighing.ts";
import { systemClock } from "../../lib/clock.ts";
import { createPdfReader, type PdfReader } from "../../reading/read-pdf.ts";
import type { Reading } from "../../reading/reading.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { readGivenFile, readGivenText } from "../base/given-file.ts";
import { createOutput, type Output, plain } from "../base/output.ts";
import { type DecidedRow, readDecided } from "./extract-decided.ts";
import { printDrift } from "./extract-drift.ts";
import { type Disputed, type KnownRow, reportOn } from "./extract-report.ts";

interface ExtractOptions {
  json?: boolean;
  explain?: boolean;
  corpus?: string;
  report?: string;
  drift?: boolean;
  decided?: boolean;
  strict?: boolean;
  disputed?: string;
}

interface Row extends KnownRow {
  text?: string;
  pdf?: string;
}

export function extractCommand(output: Output = createOutput()): Command {
  return new Command("extract")
    .description("extract trades from documents and show where each value was found")
    .argument("[files...]", "PDF or text files")
    .option("--json", "print one JSON object per line, one for each document")
    .option("--explain", "show the candidates for each value, the choice, and why the others lost")
    .option(
      "--corpus <file.jsonl>",
      "read JSON lines with file and text or pdf, and print one prediction for each",
    )
    .option(
      "--report <file.jsonl>",
      "read JSON lines with known trades, and print accuracy by fold, language and kind of document",
    )
    .option(
      "--strict",
      "count as sure only trades above the confidence from which the fit found no wrong one",
    )
    .option(
      "--disputed <file.jsonl>",
      "with --report: JSON lines with file, field and words of known values that you dispute; also prints the figures without their documents",
    )
    .option(
      "--decided",
      "read again the documents that people have decided on, and print the same report",
    )
    .option(
      "--drift",
      "show per sender and week how many documents contain trades, layouts that may have changed, and senders whose trades people correct too often",
    )
    .addHelpText(
      "after",
      "\nExits with 0 if every document was read, with 1 if one could not be read, with 2 on incorrect usage.\n\nExamples:\n  postroom extract note.pdf --explain\n  postroom extract --corpus rows.jsonl > predictions.jsonl",
    )
    .action((files: string[], options: ExtractOptions) => extract(files, options, output));
}

async function extract(files: string[], options: ExtractOptions, output: Output): Promise<void> {
  const { corpus, drift, decided } = options;
  const isReport = options.report !== undefined;
  const ways = [files.length > 0, corpus !== undefined, isReport, drift, decided];
  if (ways.filter(Boolean).length !== 1) {
    throw new CommandError("specify files, --corpus, --report, --decided or --drift", EXIT.usage);
  }
  if (options.disputed !== undefined && !isReport)
    throw new CommandError("--disputed needs --report", EXIT.usage);
  if (drift) {
    await printDrift(options.json ?? false, output);
    return;
  }
  const source = createSource(options.strict ?? false);
  try {
    if (decided) await reportDecided(source, options.json ?? false, output);
    else if (options.corpus !== undefined) await predictCorpus(options.corpus, source, output);
    else if (options.report !== undefined)
      await report(options.report, options.disputed, source, output);
    else await extractFiles(files, options, source, output);
  } finally {
    await source.close();
  }
}

/** Opens files and extracts their trades; the sandbox for PDFs starts with the first one. */
interface Source {
  readonly isStrict: boolean;
  open(path: string): Promise<Reading>;
  read(bytes: Buffer, name: string): Promise<Reading>;
  extract(reading: Reading): Extraction;
  close(): Promise<void>;
}

function createSource(isStrict: boolean): Source {
  let reader: PdfReader | null = null;
  const weighing = isStrict ? strictly(SHIPPED) : SHIPPED;
  const read = async (bytes: Buffer, name: string): Promise<Reading> => {
    if (!bytes.subarray(0, 1024).includes("%PDF-")) return readingOfText(bytes.toString("utf8"));
    reader ??= createPdfReader({ clock: systemClock });
    const reading = await reader.read(bytes);
    if (!reading.ok) throw new CommandError(`${name} cannot be read: ${reading.reason}`);
    return reading.reading;
  };
  return {
    isStrict,
    read,
    extract: (reading) => extractTrades(reading, weighing),
    async open(path) {
      return read(await readGivenFile(path), path);
    },
    close: async () => reader?.close(),
  };
}

async function extractFiles(
  files: string[],
  options: ExtractOptions,
  source: Source,
  output: Output,
): Promise<void> {
  const failures: string[] = [];
  for (const file of files) {
    try {
      const reading = await source.open(file);
      const explained = options.explain ? explainExtraction(reading) : null;
      if (explained !== null && options.json) output.json({ file, explanation: explained });
      else if (explained !== null) output.line(plainLines(explained));
      else if (options.json) output.json({ file, ...source.extract(reading) });
      else print(file, source.extract(reading), output);
    } catch (error) {
      // One unreadable file must not hide the others; the exit code reports it.
      if (!(error instanceof CommandError)) throw error;
      failures.push(error.message);
      output.note(error.message);
    }
  }
  if (failures.length > 0)
    throw new CommandError(`${failures.length} of ${files.length} could not be read`);
}

function print(file: string, extraction: Extraction, output: Output): void {
  output.line(
    `${plain(file)}: ${extraction.documentType} (${plain(extraction.documentTypeReason)})`,
  );
  if (extraction.trades.length === 0) return;
  output.table(
    ["", "date", "security", "quantity", "price", "net", "confidence", "why"],
    extraction.trades.map((trade) => [
      trade.isCancellation ? `${trade.direction} cancelled` : trade.direction,
      trade.tradeDate ?? "?",
      plain(
        trade.security.isin ??
          trade.security.wkn ??
          trade.security.cusip ??
          trade.security.ticker ??
          "?",
      ),
      trade.quantityText,
      trade.price === undefined
        ? "?"
        : `${trade.price}${trade.isPercentQuoted ? " %" : ` ${trade.priceCurrency ?? ""}`}`,
      `${trade.net.toFixed(2)} ${trade.currency ?? "?"}`,
      `${(trade.confidence * 100).toFixed(1)} %${trade.canAutoConfirm ? " auto" : ""}`,
      plain(trade.reasons.join("; ")),
    ]),
  );
}

async function* rowsOf(path: string): AsyncGenerator<Row> {
  const text = await readGivenText(path);
  let number = 0;
  for (const line of text.split("\n")) {
    number += 1;
    if (line.trim() === "") continue;
    yield parseRow(line, path, number);
  }
}

function parseRow(line: string, path: string, number: number): Row {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    throw new CommandError(`${path}:${number} is not valid JSON`);
  }
  if (typeof (row as Row)?.file !== "string")
    throw new CommandError(`${path}:${number} has no "file"`);
  return row as Row;
}

/** Prefers a row's PDF to its text; paths are relative to the corpus file. */
async function readRow(row: Row, corpus: string, source: Source): Promise<Extraction> {
  if (typeof row.pdf === "string")
    return source.extract(await source.open(resolve(dirname(corpus), row.pdf)));
  if (typeof row.text === "string") return source.extract(readingOfText(row.text));
  throw new CommandError(`${row.file} has neither text nor pdf`);
}

async function predictCorpus(path: string, source: Source, output: Output): Promise<void> {
  let unread = 0;
  for await (const row of rowsOf(path)) {
    try {
      output.json(predictionOf(row.file, await readRow(row, path, source)));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      unread += 1;
      output.note(error.message);
      output.json({ file: row.file, trades: [] });
    }
  }
  if (unread > 0) throw new CommandError(`${unread} documents could not be read`);
}

async function report(
  path: string,
  doubted: string | undefined,
  source: Source,
  output: Output,
): Promise<void> {
  const rows: Row[] = [];
  for await (const row of rowsOf(path)) rows.push(row);
  const disputed: Disputed[] = [];
  if (doubted !== undefined)
    for await (const { file, field, words } of rowsOf(doubted) as AsyncIterable<Partial<Disputed>>)
      disputed.push({ file: file!, field: field ?? "?", words: words ?? "?" });
  const options = { isStrict: source.isStrict, disputed };
  await reportOn(rows, (row) => readRow(row, path, source), options, output);
}

/** As JSON, every document with the trades that people decided and those that are read now. */
async function reportDecided(source: Source, isJson: boolean, output: Output): Promise<void> {
  const rows = await readDecided(output);
  const read = async (row: KnownRow) =>
    source.extract(await source.read((row as DecidedRow).bytes, row.file));
  if (isJson) {
    for (const row of rows) {
      const { file, family, transactions } = row;
      output.json({ family, transactions, ...predictionOf(file, await read(row)) });
    }
    return;
  }
  await reportOn(rows, read, { isStrict: source.isStrict, disputed: [] }, output);
}

function plainLines(text: string): string {
  return text.split("\n").map(plain).join("\n");
}
