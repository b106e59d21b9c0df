/** Starts worker processes that a test kills. */
import { type ChildProcess, spawn } from "node:child_process";
import { afterAll, beforeAll } from "vitest";
import { bundleProgram } from "../helpers/bundle.ts";
import type { Workshop } from "./contract/workshop.ts";
import type { KillOrders } from "./kill-worker.ts";

export interface Child {
  says(text: string): Promise<void>;
  /** True when it was killed in that time. */
  endsWithin(limitMs: number): Promise<boolean>;
  kill(): Promise<void>;
}

/** Builds the worker once for the file; what still lives at the end is killed. */
export function useChildWorkers(shop: Workshop): (orders?: Partial<KillOrders>) => Child {
  let script: string;
  const children = new Set<ChildProcess>();
  beforeAll(async () => {
    script = await bundleProgram(new URL("./kill-worker.ts", import.meta.url));
  });
  afterAll(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  return (orders = {}) => {
    const all: KillOrders = {
      databaseUrl: shop.database.url,
      choice: shop.place.choice,
      killAt: null,
      leaseMs: 1_500,
      blockMs: 0,
      ...orders,
    };
    return launchChild(script, all, children);
  };
}

function launchChild(script: string, orders: KillOrders, children: Set<ChildProcess>): Child {
  const child = spawn(process.execPath, [script, JSON.stringify(orders)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  let output = "";
  let errors = "";
  const heard: { text: string; tell: () => void }[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    for (const { text, tell } of heard) if (output.includes(text)) tell();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = new Promise<void>((resolve) =>
    child.once("exit", () => {
      children.delete(child);
      resolve();
    }),
  );
  return {
    says: (text) =>
      Promise.race([
        new Promise<void>((tell) => {
          if (output.includes(text)) tell();
          heard.push({ text, tell });
        }),
        ended.then(() => {
          throw new Error(`the worker ended: ${errors}`);
        }),
      ]),
    endsWithin: (limitMs) =>
      Promise.race([
        ended.then(() => child.signalCode === "SIGKILL"),
        new Promise<boolean>((resolve) => setTimeout(resolve, limitMs, false).unref()),
      ]),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
