import { readdirSync, readFileSync } from "node:fs";

const TICK_MICROSECONDS = 10_000; // the kernel counts in hundredths of a second

/** Processor time of a process and its children, including dead ones, in microseconds; 0 without /proc. */
export function processorTime(pid: number): number {
  let sum = 0;
  for (const name of entriesOfProc()) {
    const stat = statOf(Number(name));
    if (stat === null) continue;
    if (stat.pid === pid) sum += stat.own + stat.ofDead;
    else if (stat.parent === pid) sum += stat.own;
  }
  return sum * TICK_MICROSECONDS;
}

function entriesOfProc(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // another system
  }
}

function statOf(pid: number): { pid: number; parent: number; own: number; ofDead: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain spaces.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const at = (index: number) => Number(fields[index - 3]);
    return { pid, parent: at(4), own: at(14) + at(15), ofDead: at(16) + at(17) };
  } catch {
    return null; // it has ended meanwhile
  }
}
