import { execFileSync } from "node:child_process";

/**
 * Lets the kernel refuse this process's writes beyond a size, after having written a part, as a full disk
 * does. It needs no rights: the limit is this process's own (Node ignores the signal that comes with it).
 */
export async function withFileSizeMax<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  limit(String(bytes));
  try {
    return await work();
  } finally {
    limit("unlimited");
  }
}

function limit(soft: string): void {
  execFileSync("prlimit", ["--pid", String(process.pid), `--fsize=${soft}:unlimited`]);
}
