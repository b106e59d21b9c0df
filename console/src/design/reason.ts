import { formatConfidence } from "./format.ts";

/** Why a person is asked, for people: confidences in percent. */
export function reasonWords(reason: string): string {
  return reason
    .replace(/^confidence (\d(?:\.\d+)?) is below (\d(?:\.\d+)?)$/, (_, value, bar) => {
      return `confidence ${formatConfidence(Number(value))} is below ${formatConfidence(Number(bar))}`;
    })
    .replace(
      /^confidence (\d\.\d+)$/,
      (_, value) => `confidence ${formatConfidence(Number(value))}`,
    );
}

/** Where a reason begins a line. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
