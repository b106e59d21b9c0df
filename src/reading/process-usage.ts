import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";

/** Memory and processor time of a process. */
export interface Usage {
  rssBytes: number;
  cpuMs: number;
}

/** On every Linux that Node supports, the kernel counts processor time in hundredths of a second. */
const TICK_MS = 10;
const PAGE_BYTES = 4096;

export const canReadProc = process.platform === "linux";

/** Two small reads of about 20 µs each; null if the process has exited. Linux only. */
export function readUsage(pid: number): Usage | null {
  try {
    const resident = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1];
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the name of the program in parentheses and may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { rssBytes: Number(resident) * PAGE_BYTES, cpuMs: ticks * TICK_MS };
  } catch {
    // The process has exited; that is reported elsewhere.
    return null;
  }
}

/** The child of a process that only starts it and waits; null if there is none. Linux only. */
export function innerPid(pid: number): number | null {
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ");
    return Number(child) || null;
  } catch {
    // It has exited, or the kernel does not say; then its parent is watched, and only time limits it.
    return null;
  }
}

/** The same through `ps`, for systems without /proc. It starts a process, so call it rarely. */
export function askUsage(pid: number): Promise<Usage | null> {
  return new Promise((resolve) => {
    execFile("/bin/ps", ["-o", "rss=,time=", "-p", String(pid)], (error, stdout) => {
      const [rss, time] = stdout.trim().split(/\s+/u);
      if (error !== null || rss === undefined || time === undefined) resolve(null);
      else resolve({ rssBytes: Number(rss) * 1024, cpuMs: toMs(time) });
    });
  });
}

/** `[hours:]minutes:seconds`; the seconds may have a fraction. */
function toMs(time: string): number {
  return time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
}
