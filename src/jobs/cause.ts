import { sha256Hex } from "../lib/hash.ts";

/** The parts of a message that differ from job to job and say nothing about the cause. */
const PARTICULARS: readonly [RegExp, string][] = [
  [/https?:\/\/\S+/gi, "<url>"],
  [/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, "<address>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  [/"[^"]*"|'[^']*'|`[^`]*`/g, "<text>"],
  [/\b(?=[\w+/=-]*\d)[\w+/=-]{12,}/g, "<id>"],
  [/\d+([.,:]\d+)*/g, "<n>"],
];

/** The code of a dead letter whose type no running worker knows. */
export const NO_HANDLER = "NoHandler";

export function generalise(message: string): string {
  return PARTICULARS.reduce(
    (text, [what, name]) => text.replace(what, name),
    message.slice(0, 500),
  );
}

/** A fingerprint shared by jobs with the same type, error code and message, ignoring details such as ids. */
export function causeOf(type: string, errorCode: string, errorMessage: string): string {
  return sha256Hex(`${type}\n${errorCode}\n${generalise(errorMessage)}`).slice(0, 12);
}
