import { Console } from "node:console";
import { createFrameReader, type Frame, toFrame } from "./frame.ts";
import { type PackedPage, packPages } from "./pack-pages.ts";
import { parseMime } from "./parse-mime.ts";
import { parsePdf } from "./parse-pdf.ts";
import type { SandboxAnswer, SandboxRequest } from "./sandbox-protocol.ts";

/**
 * The child's whole life: a frame in, a frame out, one at a time, until its input ends. It holds
 * nothing worth stealing and is killed from outside when it takes too much or too long.
 */

// Answers travel on standard output; whatever a library has to say must not get between them.
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

// The library is loaded on first use, which takes longer than most documents.
await parsePdf(Buffer.from(FIRST_PDF), { pagesMax: 1, charactersMax: 100 });
send({ kind: "ready" }, new Uint8Array());
process.stdin.on("data", (chunk: Buffer) => {
  const frames = readFrames(chunk);
  if (frames === "too-large") process.exit(3);
  for (const frame of frames) queue = queue.then(() => answer(frame));
});
process.stdin.on("end", () => process.exit(0));

async function answer(frame: Frame): Promise<void> {
  const request = frame.head as SandboxRequest;
  if (request.kind === "pdf") {
    // The library takes the buffer over, so it gets one that nothing else looks at.
    const result = await parsePdf(new Uint8Array(frame.bytes), request.limits);
    if (!result.ok) return send({ ...result, kind: "refused" }, new Uint8Array());
    const pages: PackedPage[] = packPages(result.pages);
    return send({ kind: "pages", pages }, new Uint8Array());
  }
  const { parts, bytes } = await parseMime(frame.bytes, request.limits);
  return send({ kind: "parts", parts }, bytes);
}

function send(head: SandboxAnswer, bytes: Uint8Array): void {
  for (const part of toFrame(head, bytes)) process.stdout.write(part);
}
