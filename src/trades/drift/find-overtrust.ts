/** Compares the confidence of what was read with what people decided about it. */
import type { TradeFacts } from "../trade.ts";
import type { DecidedDocument, DecidedLine } from "./decided-documents.ts";

export interface Trust {
  sender: string;
  /** Lines that were read and that people decided on. */
  decided: number;
  /** Mean confidence of these lines. */
  said: number;
  /** Share of them that people booked as they were read. */
  right: number;
}

/** With fewer decisions than this, nothing can be said about a sender. */
const DECIDED_MIN = 5;
/** Three standard errors: one false alarm in about seven hundred senders. */
const ERRORS = 3;
const EXCESS_MIN = 0.15;

const CORE = ["direction", "tradeDate", "quantity", "net", "currency"] as const;
const CODES = ["isin", "wkn", "valor", "cusip", "sedol", "ticker"] as const;

/** True if every value that a booking depends on was read as it was decided. */
export function isReadRight({ read, decided }: Pick<DecidedLine, "read" | "decided">): boolean {
  if (read === null || decided === null) return false;
  return CORE.every((name) => read[name] === decided[name]) && isSameSecurity(read, decided);
}

/** A code that a person added is no mistake of the reading; one that they changed or removed is. */
function isSameSecurity(read: TradeFacts, decided: TradeFacts): boolean {
  const isNamed = CODES.some((code) => read[code] !== null);
  return isNamed && CODES.every((code) => read[code] === null || read[code] === decided[code]);
}

export function trustOf(documents: readonly DecidedDocument[]): Trust[] {
  const senders = new Map<string, DecidedLine[]>();
  for (const { sender, lines } of documents) {
    const own = lines.filter((line) => line.isByPerson && line.read !== null);
    if (own.length > 0) senders.set(sender, [...(senders.get(sender) ?? []), ...own]);
  }
  return [...senders]
    .map(([sender, lines]) => ({
      sender,
      decided: lines.length,
      said: lines.reduce((sum, { confidence }) => sum + confidence, 0) / lines.length,
      right: lines.filter(isReadRight).length / lines.length,
    }))
    .sort((a, b) => (a.sender < b.sender ? -1 : 1));
}

/** The senders whose lines are right less often than their confidence says, by more than chance explains. */
export function findOvertrust(trusts: readonly Trust[]): Trust[] {
  return trusts
    .filter(({ decided, said, right }) => {
      if (decided < DECIDED_MIN) return false;
      // The share is shifted towards one half, so that full confidence still has a spread.
      const smooth = (said * decided + 1) / (decided + 2);
      const error = Math.sqrt((smooth * (1 - smooth)) / decided);
      return said - right >= Math.max(EXCESS_MIN, ERRORS * error);
    })
    .sort((a, b) => b.said - b.right - (a.said - a.right) || (a.sender < b.sender ? -1 : 1));
}

export function describeOvertrust({ sender, decided, said, right }: Trust): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  return `${sender}: people booked ${percent(right)} of ${decided} trades as they were read, at a confidence of ${percent(said)}`;
}
