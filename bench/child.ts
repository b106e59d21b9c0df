/** Parts of a benchmark in separate processes: load generators, servers, the code under test. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

export interface Usage {
  readonly cpuMs: number;
  readonly peakRssMb: number;
}

export interface Child {
  readonly pid: number;
  ask<Answer>(command: string, given?: object): Promise<Answer>;
  stop(): Promise<void>;
}

interface Question {
  readonly id: number;
  readonly command: string;
  readonly given: never;
}

type Answer = { readonly id: number } & ({ readonly value: unknown } | { readonly error: string });

/** Starts a program of this folder, or a bundle of one, and exchanges messages with it. */
export function startChild(program: URL): Child {
  const path = fileURLToPath(program);
  const file = basename(path);
  const child = fork(path, [], {
    execArgv: [...(path.endsWith(".ts") ? ["--import", "tsx"] : []), ...profiling()],
    serialization: "advanced",
  });
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  child.on("message", (answer: Answer) => {
    const asker = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ("error" in answer) asker?.reject(new Error(`${file}: ${answer.error}`));
    else asker?.resolve(answer.value as never);
  });
  child.on("exit", (code) => {
    for (const asker of waiting.values()) asker.reject(new Error(`${file} ended with ${code}`));
  });
  let questions = 0;
  return {
    pid: child.pid!,
    ask: (command, given = {}) =>
      new Promise((resolve, reject) => {
        questions += 1;
        waiting.set(questions, { resolve, reject });
        child.send({ id: questions, command, given });
      }),
    stop: () => stopChild(child),
  };
}

/** With BENCH_PROFILE=folder each child writes a processor profile there. */
function profiling(): string[] {
  const folder = process.env["BENCH_PROFILE"];
  return folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`];
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
}

/** The child's side. When its parent disconnects, the child runs `close` and exits. */
export function answerParent(
  commands: Record<string, (given: never) => unknown>,
  close: () => Promise<unknown> = async () => {},
): void {
  process.on("message", (question: Question) => {
    const command = question.command === "usage" ? ownUsage : commands[question.command];
    Promise.resolve()
      .then(() => command!(question.given))
      .then(
        (value) => process.send!({ id: question.id, value }),
        (error: Error) => process.send!({ id: question.id, error: error.stack ?? String(error) }),
      );
  });
  process.once("disconnect", () => void close().finally(() => process.exit(0)));
}

function ownUsage(): Usage {
  const { user, system } = process.cpuUsage();
  return {
    cpuMs: (user + system) / 1_000,
    peakRssMb: process.resourceUsage().maxRSS / 1_024,
  };
}

/** Linux counts processor time in this many ticks per second. */
const TICKS = 100;

/** Processor time of a process and of what it started, in milliseconds; 0 if there is no /proc. */
export function cpuMsOfTree(pid: number): number {
  let ticks = 0;
  try {
    for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      const fields = statOf(entry);
      if (fields === null) continue;
      const [, parent] = fields;
      if (Number(entry) === pid) ticks += sum(fields, [11, 12, 13, 14]);
      else if (Number(parent) === pid) ticks += sum(fields, [11, 12]);
    }
  } catch {
    return 0;
  }
  return (ticks * 1_000) / TICKS;
}

/** The fields after the name, which may contain spaces. */
function statOf(pid: string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null; // it ended meanwhile
  }
}

function sum(fields: readonly string[], places: readonly number[]): number {
  return places.reduce((total, place) => total + Number(fields[place]), 0);
}
