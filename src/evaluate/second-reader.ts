/** What a second reader would cost, and what its agreement could gain. No model is asked. */
import type { Extraction } from "../extract/answer/extraction.ts";
import type { JudgedDocument } from "./truth/judge.ts";

/** How a document would be treated if a second reader were there. */
export interface SecondLook {
  isAsked: boolean;
  /** Characters of the document that would be sent. */
  characters: number;
  /** True if its agreement would confirm all trades of the document. */
  isOpen: boolean;
}

/** The most characters of a document that are sent. */
const SENT_MAX = 24_000;

/** The rules ask about a document if a trade in it would not be confirmed. */
export function secondLookOf({ trades }: Extraction, text: string): SecondLook {
  const isAsked = trades.some((trade) => !trade.canAutoConfirm);
  return {
    isAsked,
    characters: isAsked ? Math.min(SENT_MAX, text.length) : 0,
    isOpen: isAsked && trades.every((trade) => trade.canBeSeconded && trade.security.isin),
  };
}

/** The most that it can gain: it agrees with all that is right. The most that it can spoil: with what is wrong as well. */
export function describeSecondLooks(
  rows: readonly { judged: JudgedDocument; second?: SecondLook }[],
): string {
  const asked = rows.filter(({ second }) => second?.isAsked);
  const open = asked.filter(({ second }) => second!.isOpen);
  const isRight = ({ judged }: { judged: JudgedDocument }) =>
    judged.trades.every((trade) => trade.isRight);
  const right = open.filter(isRight);
  const sent = asked.reduce((sum, { second }) => sum + second!.characters, 0);
  const gained = right.reduce((sum, { judged }) => sum + judged.trades.length, 0);
  return (
    `a second reader would be asked about ${asked.length} of ${rows.length} documents (${Math.round(sent / 1_000)} thousand characters); ` +
    `where it agrees it may confirm ${open.length}: ${right.length} that are right, with ${gained} trades, and ${open.length - right.length} that are wrong if it makes the same mistake`
  );
}
