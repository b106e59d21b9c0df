/** Identifies a process, so that a later one with the same process id is not mistaken for it. */
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, platform } from "node:os";

/**
 * A text that stays the same while the process lives and differs for every other process; null if there is no
 * such process.
 */
export function identityOf(pid: number): string | null {
  if (!isAlive(pid)) return null;
  try {
    if (platform() !== "linux") return ask(pid, "lstart");
    // The name, in parentheses, may contain anything; the start time in clock ticks is the 20th field after
    // it.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return `${started} ${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}`;
  } catch {
    return null; // it has ended meanwhile
  }
}

/** Names where a process id of ours means something: in another container or machine it belongs to nobody, or to others. */
export function processSpace(): string {
  const namespace = platform() === "linux" ? readlinkSync("/proc/self/ns/pid") : "";
  return `${hostname()} ${namespace}`.trim();
}

/** The command line of a process, its words separated by spaces; null if there is no such process. */
export function commandOf(pid: number): string | null {
  if (!isAlive(pid)) return null;
  try {
    if (platform() !== "linux") return ask(pid, "args");
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return null; // it has ended meanwhile
  }
}

const ask = (pid: number, what: string): string =>
  execFileSync("ps", ["-o", `${what}=`, "-p", String(pid)], { encoding: "utf8" }).trim();

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // it exists, but belongs to another user
  }
}
