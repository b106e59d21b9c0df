import { formatConfidence, formatNumber } from "./format.ts";

/** Why a person is asked, for people: confidences in percent, and no score without a meaning. */
export function reasonWords(reason: string): string {
  return reason
    .replace(/^undone by [0-9a-f-]{36}: /, "taken back: ")
    .replace(/^encrypted: the file requires a password$/, "the file needs a password")
    .replace(/^whose trade it is: (.*) \(\d\.\d+\)$/, "$1")
    .replace(/^confidence (\d(?:\.\d+)?) is below (\d(?:\.\d+)?)$/, (_, value, bar) => {
      return `confidence ${formatConfidence(Number(value))} is below ${formatConfidence(Number(bar))}`;
    })
    .replace(
      /^confidence (\d\.\d+)$/,
      (_, value) => `confidence ${formatConfidence(Number(value))}`,
    )
    .replace(/^sender not authenticated: (.*)$/, "Exchange does not vouch for the sender ($1)")
    .replace(/^(proceeds|gross|net|quantity|price)\b.*\bfit\b.*$/, groupDigits);
}

const groupDigits = (text: string): string =>
  text.replace(/\b\d{4,}(\.\d+)?\b/g, (digits, decimals: string | undefined) =>
    formatNumber(Number(digits), (decimals?.length ?? 1) - 1),
  );

/** Where a reason begins a line; an address stays as it is written. */
export const capital = (text: string): string =>
  /^\S+@/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
