/** A model's endpoint in this process, which does what a test tells it to. */
import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

export interface ModelServer {
  readonly url: string;
  /** Bodies of the requests so far. */
  readonly asked: { messages: { role: string; content: string }[]; stream?: boolean }[];
  /** Requests whose caller went away before the answer was complete. */
  readonly dropped: () => number;
  /** Texts whose vectors were asked for. */
  readonly embedded: string[];
  answerEmbeddings: (response: ServerResponse, texts: readonly string[]) => void;
  /** What the next answers are. */
  answer: (response: ServerResponse, request: ModelServer["asked"][number]) => void;
}

export const completion = (content: string, finish = "stop") => ({
  id: "c",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: finish }],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
});

export const sendJson = (response: ServerResponse, body: object, status = 200): void => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
};

/** Begins a stream of pieces; it stays open if `finish` is null. */
export function sendPieces(
  response: ServerResponse,
  pieces: readonly string[],
  finish: string | null,
): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  sendMore(response, pieces, finish);
}

/** More pieces of a stream that has begun. */
export function sendMore(
  response: ServerResponse,
  pieces: readonly string[],
  finish: string | null,
): void {
  for (const content of pieces)
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
  if (finish === null) return;
  response.write(
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: finish }], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } })}\n\n`,
  );
  response.end("data: [DONE]\n\n");
}

const MEANINGS: Readonly<Record<string, string>> = {
  expensive: "dear",
  costly: "dear",
  apartment: "home",
  housing: "home",
};

/** A vector in which words of the same meaning point in the same direction. */
export function embed(text: string): number[] {
  const vector = new Array<number>(64).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const meaning = MEANINGS[word] ?? word;
    const hash = createHash("sha256").update(meaning).digest();
    for (let at = 0; at < 64; at++) vector[at]! += (hash[at % 32]! >> (at % 8)) & 1 ? 1 : -1;
  }
  return vector;
}

export function sendVectors(response: ServerResponse, vectors: readonly number[][]): void {
  const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
  sendJson(response, { object: "list", data, usage: { prompt_tokens: 1, total_tokens: 1 } });
}

export async function aModelServer(): Promise<ModelServer> {
  const asked: ModelServer["asked"] = [];
  const embedded: string[] = [];
  let dropped = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString("utf8");
    });
    request.on("end", () => {
      if (request.url!.endsWith("/embeddings")) {
        const { input } = JSON.parse(body) as { input: string[] };
        embedded.push(...input);
        return model.answerEmbeddings(response, input);
      }
      const parsed = JSON.parse(body) as ModelServer["asked"][number];
      asked.push(parsed);
      response.on("close", () => {
        if (!response.writableFinished) dropped += 1;
      });
      model.answer(response, parsed);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const model: ModelServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    embedded,
    answerEmbeddings: (response, texts) => sendVectors(response, texts.map(embed)),
    dropped: () => dropped,
    answer: (response) => sendJson(response, completion("")),
  };
  return model;
}
