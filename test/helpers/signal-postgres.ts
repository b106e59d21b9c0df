import { execFileSync } from "node:child_process";
import type { EmbeddedPostgres } from "../../src/store/embedded-postgres.ts";

/** Every backend is its own process group, so a signal to the server's group would not reach them. */
export function signalPostgres({ pid }: EmbeddedPostgres, signal: NodeJS.Signals): void {
  process.kill(pid, signal); // first, so that it starts no others meanwhile
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  for (const child of children.trim().split(/\s+/).map(Number)) {
    try {
      process.kill(child, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it has ended meanwhile
    }
  }
}
