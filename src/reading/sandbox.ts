import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Clock } from "../lib/clock.ts";
import { createFrameReader, type Frame, toFrame } from "./frame.ts";
import { innerPid } from "./process-usage.ts";
import type { SandboxCommand } from "./sandbox-command.ts";
import type { Numbered, SandboxAnswer, SandboxRequest } from "./sandbox-protocol.ts";
import { type Excess, type UsageCaps, usageOf, watchUsage } from "./watch-usage.ts";

export type SandboxFailure = "timed-out" | "memory" | "too-much-text" | "crashed" | "aborted";

export type SandboxOutcome =
  | { ok: true; answer: SandboxAnswer; bytes: Buffer }
  | { ok: false; failure: SandboxFailure; detail: string };

/** One child process that reads one file at a time. After any failure it is dead. */
export interface Sandbox {
  readonly pid: number | undefined;
  isAlive(): boolean;
  isReady(): boolean;
  /** Resolves when the child can accept work, or is dead. */
  whenReady(): Promise<void>;
  jobsDone(): number;
  /** Peak memory while reading, and memory after the last file. */
  rssBytes(): { peak: number; resting: number };
  run(job: SandboxJob): Promise<SandboxOutcome>;
  kill(): Promise<void>;
}

export interface SandboxJob {
  request: SandboxRequest;
  bytes: Uint8Array;
  caps: UsageCaps;
  signal?: AbortSignal | undefined;
}

type Ending = Frame | "answer-too-large" | "exited" | "aborted" | "start" | Excess;

/** An answer contains text with coordinates, a few times as long as the text itself. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const STDERR_KEPT = 4000;
/** A cold start takes half a second on an idle machine. */
const START_MS_MAX = 30_000;

export function startSandbox(command: SandboxCommand, clock: Clock): Sandbox {
  const child = spawn(command.file, command.args, { env: {}, cwd: "/" });
  const exit = watchExit(child);
  const nextFrame = createChannel(child);
  const ready = Promise.race([
    nextFrame(0),
    exit.promise,
    clock.sleep(START_MS_MAX).then(() => "start" as const),
  ]);
  const rss = { peak: 0, resting: 0 };
  let jobsDone = 0;
  let isReady = false;
  let pid = child.pid;
  void ready.then((started) => {
    isReady = typeof started === "object";
    if (isReady && command.forks) pid = innerPid(child.pid!) ?? pid;
  });
  letHostExit(child);

  const finish = async ({ request, bytes, caps, signal }: SandboxJob): Promise<Ending> => {
    const started = await ready;
    if (typeof started === "string") return started;
    const watch = watchUsage(pid!, caps, clock);
    const abort = watchAbort(signal);
    const numbered: Numbered<SandboxRequest> = { job: jobsDone + 1, head: request };
    const answered = nextFrame(numbered.job);
    for (const part of toFrame(numbered, bytes)) child.stdin.write(part);
    try {
      return await Promise.race([answered, watch.exceeded, abort.promise, exit.promise]);
    } finally {
      watch.stop();
      abort.stop();
      rss.peak = Math.max(rss.peak, watch.peakRssBytes());
    }
  };

  return {
    get pid() {
      return pid;
    },
    isAlive: () => !exit.hasExited(),
    isReady: () => isReady && !exit.hasExited(),
    whenReady: async () => void (await ready),
    jobsDone: () => jobsDone,
    rssBytes: () => rss,
    async run(job) {
      keepHostAlive(child);
      const ending = await finish(job);
      if (typeof ending === "object") {
        jobsDone++;
        rss.resting = (await usageOf(pid!))?.rssBytes ?? 0;
        letHostExit(child);
        const { head } = ending.head as Numbered<SandboxAnswer>;
        return { ok: true, answer: head, bytes: ending.bytes };
      }
      child.kill("SIGKILL");
      await exit.promise;
      return { ok: false, ...failureFor(ending, exit.lastWords(), job.caps) };
    },
    async kill() {
      keepHostAlive(child);
      child.kill("SIGKILL");
      await exit.promise;
    },
  };
}

/** For a working child; an idle one must not keep the host alive. */
function keepHostAlive(child: ChildProcessWithoutNullStreams): void {
  for (const handle of handlesOf(child)) handle.ref();
}

function letHostExit(child: ChildProcessWithoutNullStreams): void {
  for (const handle of handlesOf(child)) handle.unref();
}

const handlesOf = (child: ChildProcessWithoutNullStreams) =>
  [child, child.stdin, child.stdout, child.stderr] as unknown as Socket[];

function watchExit(child: ChildProcessWithoutNullStreams) {
  let hasExited = false;
  let stderr = "";
  let code = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("latin1")).slice(-STDERR_KEPT);
  });
  // Writing to a child that has just died fails here; its exit is reported separately.
  child.stdin.on("error", () => {});
  const promise = new Promise<"exited">((resolve) => {
    const end = (reason: string) => {
      hasExited = true;
      code = reason;
      resolve("exited");
    };
    child.once("error", (error) => end(error.message));
    child.once("close", (status, signal) => end(String(signal ?? status)));
  });
  return { promise, hasExited: () => hasExited, lastWords: () => `${code} ${stderr}`.trim() };
}

/** Returns a function that waits for the child's frame about the given job. */
function createChannel(child: ChildProcessWithoutNullStreams) {
  const readFrames = createFrameReader(ANSWER_BYTES_MAX);
  let awaited = 0;
  let settle: (ending: Frame | "answer-too-large") => void = () => {};
  child.stdout.on("data", (chunk: Buffer) => {
    const frames = readFrames(chunk);
    if (frames === "too-large") return settle("answer-too-large");
    for (const frame of frames) {
      if ((frame.head as Numbered<SandboxAnswer>).job === awaited) settle(frame);
    }
  });
  return (job: number) =>
    new Promise<Frame | "answer-too-large">((resolve) => {
      awaited = job;
      settle = resolve;
    });
}

function watchAbort(signal: AbortSignal | undefined) {
  let stop = () => {};
  const promise = new Promise<"aborted">((resolve) => {
    if (signal === undefined) return;
    const onAbort = () => resolve("aborted");
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    stop = () => signal.removeEventListener("abort", onAbort);
  });
  return { promise, stop: () => stop() };
}

function failureFor(
  ending: Exclude<Ending, Frame>,
  lastWords: string,
  caps: UsageCaps,
): { failure: SandboxFailure; detail: string } {
  if (ending === "wall") return { failure: "timed-out", detail: `${caps.wallMs} ms have passed` };
  if (ending === "cpu") {
    return { failure: "timed-out", detail: `${caps.cpuMs} ms of processor time are used up` };
  }
  if (ending === "rss") {
    return { failure: "memory", detail: `more than ${Math.round(caps.rssBytes / 2 ** 20)} MiB` };
  }
  if (ending === "answer-too-large") {
    return { failure: "too-much-text", detail: `more than ${ANSWER_BYTES_MAX} bytes of result` };
  }
  if (ending === "start") return { failure: "crashed", detail: "the child did not start in time" };
  if (ending === "aborted") return { failure: "aborted", detail: "the caller gave up" };
  if (/heap out of memory|allocation failed|Array buffer allocation/iu.test(lastWords)) {
    return { failure: "memory", detail: "the child's heap is full" };
  }
  return { failure: "crashed", detail: `the child ended: ${lastWords.slice(0, 300)}` };
}
