import { Fault } from "../../lib/fault.ts";
import { redactText } from "../../lib/redact.ts";

/** Scripts rely on these exit codes. */
export const EXIT = { ok: 0, failed: 1, usage: 2, tryLater: 75 } as const;

/** Ends a command with a message and an exit code. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The one catch of the command line. */
export function describeFailure(error: unknown): { message: string; exitCode: number } {
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof Fault) {
    const exitCode =
      error.code === "settings.bad" || error.code === "request.bad"
        ? EXIT.usage
        : error.remedy === "retry" || error.remedy === "wait"
          ? EXIT.tryLater
          : EXIT.failed;
    return { message: redactText(error.message), exitCode };
  }
  const { code, message, port } = error as { code?: string; message: string; port?: number };
  if (code === "EADDRINUSE") {
    return {
      message: `port ${port} is in use; set PORT to another port, or stop the process that uses it`,
      exitCode: EXIT.failed,
    };
  }
  return { message: redactText(message ?? String(error)), exitCode: EXIT.failed };
}
