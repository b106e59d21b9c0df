import { AsyncLocalStorage } from "node:async_hooks";
import { type DestinationStream, pino } from "pino";
import { Fault } from "./fault.ts";
import { redactText, SECRET_FIELDS } from "./redact.ts";

/** Structured JSON lines. Each carries the correlation id of the request or job it belongs to. */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  child(facts: object): Log;
}

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

const correlation = new AsyncLocalStorage<string>();

/** Everything inside `task` logs under this id. */
export function withCorrelation<T>(correlationId: string, task: () => T): T {
  return correlation.run(correlationId, task);
}

export function currentCorrelation(): string | undefined {
  return correlation.getStore();
}

export function createLog(options: { level: LogLevel; to?: DestinationStream }): Log {
  const secretPaths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      redact: { paths: secretPaths, censor: "[hidden]" },
      serializers: { err: describeError, error: describeError },
      mixin: () => {
        const correlationId = correlation.getStore();
        return correlationId === undefined ? {} : { correlationId };
      },
    },
    options.to ?? pino.destination({ dest: 1, sync: false }),
  );
}

/** The text of an error may quote its input, so it goes through the redactor. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: redactText(String(error)) };
  return {
    name: error.name,
    message: redactText(error.message),
    ...(error instanceof Fault ? { code: error.code, ...error.facts } : {}),
    ...(error.stack === undefined ? {} : { stack: redactText(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
