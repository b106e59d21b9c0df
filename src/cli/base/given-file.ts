import { readFile } from "node:fs/promises";
import { describeSystemError } from "../../lib/describe-system-error.ts";
import { CommandError } from "./exit.ts";

/** A file that the caller named. An error names it too, which Node's own does not do for a folder. */
export async function readGivenFile(path: string): Promise<Buffer> {
  return readFile(path).catch((error: Error) => {
    throw new CommandError(describeSystemError(Object.assign(error, { path })));
  });
}

export const readGivenText = async (path: string): Promise<string> =>
  (await readGivenFile(path)).toString("utf8");
