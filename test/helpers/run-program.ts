import { spawn } from "node:child_process";
import { once } from "node:events";
import { endWithUs } from "./end-with-us.ts";

/** Runs a bundled program and says how it ended: by signal, or with an exit code. */
export async function runProgram(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string | number> {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { PATH: process.env["PATH"], ...environment },
  });
  endWithUs(child);
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  return signal ?? code!;
}
