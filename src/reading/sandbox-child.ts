/**
 * The main program of a child: reads a frame, answers with a frame, one at a time, until its input ends. It
 * has no secrets, and the host kills it if it uses too much memory or time.
 */
import { Console } from "node:console";
import { setImmediate } from "node:timers/promises";
import { createFrameReader, type Frame, toFrame } from "./frame.ts";
import { packPages } from "./pack-pages.ts";
import { type MimeLimits, parseMime } from "./parse-mime.ts";
import { parsePdf } from "./parse-pdf.ts";
import type { Numbered, SandboxAnswer, SandboxRequest } from "./sandbox-protocol.ts";

// Standard output carries the answers, so libraries must log to standard error.
globalThis.console = new Console(process.stderr);
for (const name of ["fetch", "WebSocket", "EventSource"]) Reflect.deleteProperty(globalThis, name);

const FIRST_PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 31>>stream
BT /F 1 Tf 1 1 Td (warm) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF`;
const FRAME_MAX = 64 * 1024 * 1024;
const readFrames = createFrameReader(FRAME_MAX);
let queue = Promise.resolve();
/** The number of the file being read; 0 between two files. */
let job = 0;

// The library loads on first use, which takes longer than reading most files.
await parsePdf(Buffer.from(FIRST_PDF), { pagesMax: 1, charactersMax: 100 });
send({ kind: "ready" }, new Uint8Array());

// A broken file can make the library reject a promise that nobody awaits. Ending the process removes
// whatever state it left behind.
process.on("unhandledRejection", (reason) => {
  const detail = `stray ${String(reason)}`.slice(0, 300);
  if (job > 0) send({ kind: "refused", reason: "damaged", detail }, new Uint8Array());
  process.exit(0);
});
process.stdin.on("data", (chunk: Buffer) => {
  const frames = readFrames(chunk);
  if (frames === "too-large") process.exit(3);
  for (const frame of frames) queue = queue.then(() => answer(frame));
});
process.stdin.on("end", () => process.exit(0));

async function answer({ head, bytes }: Frame): Promise<void> {
  const request = head as Numbered<SandboxRequest>;
  job = request.job;
  const done = await read(request.head, bytes);
  // By now, rejections that nobody awaits have been reported, still for this file.
  await setImmediate();
  send(done.answer, done.bytes);
  job = 0;
}

interface Done {
  answer: SandboxAnswer;
  bytes: Uint8Array;
}

function read(request: SandboxRequest, bytes: Buffer): Promise<Done> {
  if (request.kind === "pdf") return readPdf(bytes, request);
  return request.kind === "mime" ? readMime(bytes, request.limits) : readText(bytes, request);
}

async function readText(
  bytes: Buffer,
  { format, limits }: SandboxRequest & { kind: "text" },
): Promise<Done> {
  // Loaded on first use, because most children only read PDFs.
  const { parseText } = await import("./text/parse-text.ts");
  const result = await parseText(format, bytes, limits);
  const answer: SandboxAnswer = result.ok
    ? { kind: "text", text: result.text }
    : { kind: "no-text", reason: result.reason, detail: result.detail };
  return { answer, bytes: new Uint8Array() };
}

async function readPdf(
  bytes: Buffer,
  { limits, password }: SandboxRequest & { kind: "pdf" },
): Promise<Done> {
  // The library takes over the buffer, so it gets its own copy.
  const result = await parsePdf(new Uint8Array(bytes), limits, password);
  const answer: SandboxAnswer = result.ok
    ? { kind: "pages", pages: packPages(result.pages) }
    : { kind: "refused", reason: result.reason, detail: result.detail };
  return { answer, bytes: new Uint8Array() };
}

async function readMime(raw: Buffer, limits: MimeLimits): Promise<Done> {
  const { parts, bytes } = await parseMime(raw, limits);
  return { answer: { kind: "parts", parts }, bytes };
}

function send(head: SandboxAnswer, bytes: Uint8Array): void {
  const numbered: Numbered<SandboxAnswer> = { job, head };
  for (const part of toFrame(numbered, bytes)) process.stdout.write(part);
}
