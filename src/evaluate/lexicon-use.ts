/**
 * Lists the lexicon entries that occur in a document. An entry that occurs in one fold only must not help
 * that fold.
 */
import { readingOfText } from "../extract/extract-trades.ts";
import { linesOf } from "../extract/layout/lines.ts";
import { lexicon } from "../extract/lexicon/index.ts";
import { phrasesOn } from "../extract/lexicon/matcher.ts";

export function entriesIn(text: string): Set<string> {
  const out = new Set<string>();
  for (const { folded, words } of linesOf(readingOfText(text))) {
    for (const matcher of [lexicon.labels, lexicon.directions, lexicon.kinds])
      for (const phrase of phrasesOn<unknown>(matcher, folded, words)) out.add(phrase);
    const spoken = words.map((word) => word.text).join(" ");
    if (lexicon.heads.has(spoken)) out.add(spoken);
  }
  return out;
}
