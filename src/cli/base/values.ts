/** Parses options and arguments; an invalid value ends the command before anything is sent. */
import { InvalidArgumentError, Option } from "commander";
import * as z from "zod";

/** A whole number between 1 and `most`. */
export const toCount =
  (most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const count = Number(text);
    if (/^\d+$/.test(text) && count >= 1 && count <= most) return count;
    const range = most === Number.MAX_SAFE_INTEGER ? "greater than 0" : `from 1 to ${most}`;
    throw new InvalidArgumentError(`It must be a whole number ${range}.`);
  };

const Moment = z.iso.datetime({ offset: true }).or(z.iso.date());

export function toMoment(text: string): string {
  if (Moment.safeParse(text).success) return text;
  throw new InvalidArgumentError(
    "Use a date such as 2026-01-31, or a time with its zone such as 2026-01-31T09:30:00Z.",
  );
}

export function toDay(text: string): string {
  if (z.iso.date().safeParse(text).success) return text;
  throw new InvalidArgumentError("Use a date such as 2026-01-31.");
}

/** An option that takes one of a few words; the description lists them. */
export function choice(flags: string, description: string, words: readonly string[]): Option {
  return new Option(flags, description).choices(words);
}
