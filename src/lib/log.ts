import { AsyncLocalStorage } from "node:async_hooks";
import { type DestinationStream, type Logger, pino } from "pino";
import { Fault } from "./fault.ts";
import { redactText, redactValue } from "./redact.ts";

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
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (level) => ({ level }),
        log: withoutSecrets,
      },
      serializers: { err: (described) => described },
      hooks: {
        // A message is ours, but may quote something.
        logMethod(given, method) {
          const args = given.map((each) => (typeof each === "string" ? redactText(each) : each));
          method.apply(this, args as typeof given);
        },
      },
      mixin: () => {
        const correlationId = correlation.getStore();
        return correlationId === undefined ? {} : { correlationId };
      },
    },
    withInertText(options.to ?? pino.destination({ dest: 1, sync: false })),
  );
  return withCleanChildren(logger);
}

/** JSON escapes the control characters below the blank; terminals also obey those above the letters. */
function withInertText(to: DestinationStream): DestinationStream {
  const toEscape = (character: string) => `\\u00${character.charCodeAt(0).toString(16)}`;
  return { write: (line) => to.write(line.replace(/[\u007f-\u009f]/g, toEscape)) };
}

/** The library formats what each line is given, but not what a child adds to all of its lines. */
function withCleanChildren(logger: Logger): Logger {
  const child = logger.child.bind(logger);
  const cleanChild = (facts: object) => withCleanChildren(child(withoutSecrets(facts)));
  return Object.assign(logger, { child: cleanChild });
}

/** Fields by their names, text by what it looks like, errors with what they quote, at any depth. */
function withoutSecrets(facts: object): Record<string, unknown> {
  return redactValue(facts, describeError) as Record<string, unknown>;
}

function describeError(error: Error): object {
  return {
    name: error.name,
    message: error.message,
    ...(error instanceof Fault ? { code: error.code, ...error.facts } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause === undefined ? {} : { cause: error.cause }),
  };
}
