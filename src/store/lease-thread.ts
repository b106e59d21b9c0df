/**
 * Renews a lease in a thread of its own, over a connection of its own: a process keeps the lease while its
 * main thread is busy for a minute, and loses it when it dies.
 */
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { type Holder, type LeaseTable, renewal } from "./lease.ts";

export interface LeaseThread {
  stop(): Promise<void>;
}

// Source text instead of a module, because the thread must start the same way under every loader and in the
// built package.
const SOURCE = `
const { parentPort, workerData } = require("node:worker_threads");
const pg = require(workerData.pgPath);
const { url, text, values, leaseMs } = workerData;
let client = null;
const timeoutMs = Math.max(500, Math.floor(leaseMs / 3));
const connect = async () => {
  const fresh = new pg.Client({ connectionString: url, application_name: "postroom lease",
    connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs, keepAlive: true });
  fresh.on("error", () => { if (client === fresh) client = null; });
  await fresh.connect();
  client = fresh;
};
const renew = async () => {
  try {
    if (client === null) await connect();
    const { rowCount } = await client.query(text, values);
    parentPort.postMessage(rowCount === 1 ? "renewed" : "gone");
  } catch (error) {
    const broken = client;
    client = null;
    if (broken !== null) broken.end().catch(() => {});
    parentPort.postMessage("failed");
  }
};
let timer = null;
const loop = async () => { await renew(); timer = setTimeout(loop, Math.floor(leaseMs / 4)); };
loop();
parentPort.on("message", () => {
  clearTimeout(timer);
  (client === null ? Promise.resolve() : client.end()).catch(() => {}).finally(() => process.exit(0));
});
`;

export function startLeaseThread(options: {
  url: string;
  table: LeaseTable;
  holder: Holder;
  leaseMs: number;
  /** `gone` if the lease has passed to somebody else or the thread has exited. */
  onBeat: (beat: "renewed" | "gone" | "failed") => void;
}): LeaseThread {
  const pgPath = createRequire(import.meta.url).resolve("pg");
  const { url, table, holder, leaseMs } = options;
  const workerData = { pgPath, url, leaseMs, ...renewal(table, holder, leaseMs) };
  const thread = new Worker(SOURCE, { eval: true, workerData });
  thread.on("message", options.onBeat);
  let isStopping = false;
  // The exit event that follows reports it: nothing renews the lease any more, and the caller needs another
  // one.
  thread.on("error", () => {});
  thread.on("exit", () => {
    if (!isStopping) options.onBeat("gone");
  });
  thread.unref();
  return {
    stop: async () => {
      if (isStopping) return;
      isStopping = true;
      const ended = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
      thread.ref();
      thread.postMessage("stop");
      await ended;
    },
  };
}
