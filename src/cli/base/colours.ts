import picocolors from "picocolors";
import { processEnvironment } from "../../config.ts";

/**
 * Colours are for terminals only, not for files, pipes and CI machines: there picocolors alone would write escape
 * codes into logs and into the input of the next command.
 */
export function wantsColours(
  environment: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (environment["NO_COLOR"]) return false;
  if (environment["FORCE_COLOR"]) return environment["FORCE_COLOR"] !== "0";
  return isTerminal && environment["TERM"] !== "dumb";
}

export const pc = picocolors.createColors(
  wantsColours(
    processEnvironment(),
    process.stdout.isTTY === true && process.stderr.isTTY === true,
  ),
);
