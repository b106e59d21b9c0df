/** Names the kind of a document, with the words that decided it. */
import { KINDS, type KindVotes } from "../layout/document-kind.ts";
import type { KindWord } from "../lexicon/index.ts";
import type { DocumentType } from "./extraction.ts";

/** Below this score the word is only mentioned in passing. */
const MENTIONED = 0.8;

const NAMES: Partial<Record<KindWord, DocumentType>> = {
  information: "other",
  holding: "account-statement",
};

/** Returns the kind and the words that decided it. Trades that were found outweigh any heading. */
export function nameKind(
  votes: KindVotes,
  trades: number,
): { documentType: DocumentType; documentTypeReason: string } {
  const top = KINDS.filter((kind) => kind !== "trade").reduce(
    (best, kind) => (votes[kind].score > votes[best].score ? kind : best),
    "account-statement" as KindWord,
  );
  if (trades > 0) {
    const isStatement = trades > 1 && votes["account-statement"].score > votes.trade.score;
    const phrase = votes.trade.phrase;
    const reason = phrase
      ? `says "${phrase}" and holds ${count(trades)}`
      : `holds ${count(trades)}`;
    return {
      documentType: isStatement ? "activity-statement" : "contract-note",
      documentTypeReason: reason,
    };
  }
  if (votes[top].score < MENTIONED)
    return {
      documentType: "other",
      documentTypeReason: "no word names a kind of document, and no trade is found",
    };
  return {
    documentType: NAMES[top] ?? (top as DocumentType),
    documentTypeReason: `says "${votes[top].phrase}", and no trade is found`,
  };
}

function count(trades: number): string {
  return trades === 1 ? "one trade" : `${trades} trades`;
}
