import { describeSystemError } from "../../lib/describe-system-error.ts";
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

/** What a command prints instead of a result; with `--json`, all of it. */
export interface Failure {
  readonly message: string;
  readonly exitCode: number;
  /** Stable: a fault code, or how the command ended. */
  readonly code: string;
  /** The places that the server objected to, as JSON pointers. */
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

const CODE_OF_EXIT: Readonly<Record<number, string>> = {
  [EXIT.usage]: "usage",
  [EXIT.tryLater]: "try-later",
};

/** The only catch of the command line. */
export function describeFailure(error: unknown): Failure {
  if (hasExitCode(error)) {
    const { message, exitCode, code, errors } = error;
    return {
      message,
      exitCode,
      code: code ?? CODE_OF_EXIT[exitCode] ?? "failed",
      ...(errors === undefined ? {} : { errors }),
    };
  }
  if (error instanceof Fault) return describeFault(error);
  const message = redactText(describeSystemError(error as NodeJS.ErrnoException));
  return { message, exitCode: EXIT.failed, code: "failed" };
}

/** True for our own errors and for those of the tenant, which imports nothing from here. */
function hasExitCode(error: unknown): error is Error & Partial<Failure> & { exitCode: number } {
  return error instanceof Error && typeof (error as Partial<Failure>).exitCode === "number";
}

function describeFault(fault: Fault): Failure {
  const exitCode =
    fault.code === "settings.bad" || fault.code === "request.bad"
      ? EXIT.usage
      : fault.remedy === "retry" || fault.remedy === "wait"
        ? EXIT.tryLater
        : EXIT.failed;
  return { message: redactText(fault.message), exitCode, code: fault.code };
}
