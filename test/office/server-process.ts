/** A server of its own, which a test can kill and whose memory it can see. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { ProcessRole } from "../../src/app.ts";
import { bundleProgram } from "../helpers/bundle.ts";
import { endWithUs } from "../helpers/end-with-us.ts";

export interface ServerProcess {
  readonly child: ChildProcess;
  /** Null if it dies before it listens. */
  readonly url: Promise<string | null>;
  /** The signal or the exit code. */
  readonly end: Promise<string | number>;
}

export const bundleServer = (): Promise<string> =>
  bundleProgram(
    new URL("./programs/office-server.ts", import.meta.url),
    new URL("../../src/store/migrate.ts", import.meta.url),
  );

export function startServer(
  program: string,
  environment: Record<string, string>,
  roles: readonly ProcessRole[] = ["api", "worker"],
): ServerProcess {
  const child = spawn(process.execPath, [program, ...roles], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  endWithUs(child);
  const end = once(child, "exit").then(([code, signal]) => (signal ?? code) as string | number);
  const line = once(child.stdout!, "data").then(([data]) => String(data).trim());
  return { child, end, url: Promise.race([line, end.then(() => null)]) };
}

/** The memory that the process holds now, and the most that it ever held, in MB. */
export async function memoryOf({ child }: ServerProcess): Promise<{ now: number; peak: number }> {
  const text = await readFile(`/proc/${child.pid}/status`, "utf8");
  const field = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)![1]) / 1024;
  return { now: field("VmRSS"), peak: field("VmHWM") };
}
