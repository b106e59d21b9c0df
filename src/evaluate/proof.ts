/**
 * What stands behind the trades that are confirmed: where each core value is printed, and what else their block prints
 * that nothing explains.
 */
import type { ExtractedTrade, FieldName } from "../extract/answer/extraction.ts";
import type { Features } from "../extract/judgement/candidate.ts";

export interface Proof {
  confirmed: number;
  /** Confirmed trades with a core value that the document does not print where it was read. */
  unplaced: number;
  /** Those with an unexplained amount near the net, or with amounts that lead to another total; */
  rivalled: number;
  /** and those with any other sum of money that no field explains, such as a balance. */
  unexplained: number;
}

const CORE = ["direction", "tradeDate", "quantity", "net", "currency"] as const;
const CODES = ["isin", "wkn", "valor", "cusip", "sedol", "ticker"] as const;

/** `evidence` is that of each trade, in the same order. */
export function proofOf(
  trades: readonly ExtractedTrade[],
  evidence: readonly Features[],
  text: string,
): Proof {
  const lines = text.split("\f").map((page) => page.split("\n"));
  const proof: Proof = { confirmed: 0, unplaced: 0, rivalled: 0, unexplained: 0 };
  for (const [i, trade] of trades.entries()) {
    if (!trade.canAutoConfirm) continue;
    const { openNear = 0, openCloses = 0, open = 0 } = evidence[i]!;
    proof.confirmed += 1;
    if (!isPlaced(trade, lines)) proof.unplaced += 1;
    if (Math.max(openNear, openCloses) > 0) proof.rivalled += 1;
    else if (open > 0) proof.unexplained += 1;
  }
  return proof;
}

/** True if the line that each core value was read from prints it. */
function isPlaced({ perField }: ExtractedTrade, pages: readonly (readonly string[])[]): boolean {
  const isPrinted = (name: FieldName) => {
    const source = perField[name]?.source;
    if (!source || source.text === "") return false;
    const line = pages[source.page - 1]?.[source.span.line] ?? "";
    return squeezed(line).includes(squeezed(source.text));
  };
  return CORE.every(isPrinted) && CODES.some(isPrinted);
}

/** Letter-spaced print is read without its blanks. */
function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}

export function describeProof(proofs: readonly Proof[]): string {
  const sum = (name: keyof Proof) => proofs.reduce((total, proof) => total + proof[name], 0);
  return (
    `of ${sum("confirmed")} confirmed trades ${sum("unplaced")} have a core value that is not printed where it was read; ` +
    `beside ${sum("rivalled")} stands an amount that could be the net and that nothing explains, beside ${sum("unexplained")} another one`
  );
}
