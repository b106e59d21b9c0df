/** The SDK drops what a receiver does not take, and says nothing; so that an operator learns of it, the log does. */
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { redactText } from "../lib/redact.ts";

/** As much of an exporter of OpenTelemetry as is used here. */
export interface Exporter {
  export(items: unknown, onResult: (result: ExportResult) => void): void;
}
interface ExportResult {
  /** 0 if it was accepted. */
  readonly code: number;
  readonly error?: Error;
}

const PAUSE_MS = 60_000;

/** Logs at most one failure a minute; the receiver may be down for hours. */
export function watchExports<T extends Exporter>(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  receiver: string,
  exporter: T,
): T {
  const send = exporter.export.bind(exporter);
  let saidMs = Number.NEGATIVE_INFINITY;
  let failures = 0;
  exporter.export = (items, onResult) =>
    send(items, (result) => {
      if (result.code === 0) failures = 0;
      else {
        failures += 1;
        if (clock.now() - saidMs >= PAUSE_MS) {
          saidMs = clock.now();
          const why = redactText(result.error?.message ?? "no reason was given");
          log.warn({ receiver, failures, why }, "traces or metrics were not accepted and are lost");
        }
      }
      onResult(result);
    });
  return exporter;
}
