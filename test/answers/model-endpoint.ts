/** An endpoint in the manner of OpenAI. Its vectors count words; its answers repeat the first passage that it was given. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

export interface ModelEndpoint {
  readonly settings: Record<string, string>;
  /** The last message of every question. */
  readonly prompts: string[];
}

const DIMENSIONS = 256;

export async function aModelEndpoint(): Promise<ModelEndpoint> {
  const prompts: string[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const answer = request.url!.includes("embeddings")
        ? { data: (body["input"] as string[]).map(toEmbedding) }
        : toAnswer(body, prompts);
      response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  });
  return {
    prompts,
    settings: {
      MODEL_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      MODEL_API_KEY: "a-key-of-the-test",
      MODEL_NAME: "parrot",
      EMBEDDING_MODEL: "words",
      MODEL_TOKENS_PER_DAY: "1000000000",
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString("utf8")) as Record<string, unknown>;
}

function toEmbedding(text: string, index: number) {
  const embedding = new Array<number>(DIMENSIONS).fill(0.01);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + letter.codePointAt(0)!) % 65_521;
    embedding[hash % DIMENSIONS]! += hash % 2 === 0 ? 1 : -1;
  }
  return { object: "embedding", index, embedding };
}

function toAnswer(body: Record<string, unknown>, prompts: string[]) {
  const messages = body["messages"] as { content: string }[];
  const prompt = messages.at(-1)!.content;
  prompts.push(prompt);
  const passage = /\[1\]\n([\s\S]*?)(?:\n\n\[2\]|$)/.exec(prompt)?.[1] ?? "";
  const words = passage.split(/\s+/).slice(0, 12).join(" ");
  const content = JSON.stringify({
    ...{ answered: true, answer: words.replace(/\d/g, "") || "nothing" },
    citations: [{ passage: 1, words }],
  });
  return {
    choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
  };
}
