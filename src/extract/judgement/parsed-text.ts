/** A parsed document before it is cut into blocks: its lines with what was recognised on them, its values and what its words say. */
import type { KindVotes } from "../layout/document-kind.ts";
import type { TextLine } from "../layout/text-line.ts";
import type { KindWord } from "../lexicon/index.ts";
import type { DirectionVote } from "../values/direction.ts";
import type { Values } from "../values/values.ts";
import type { Weighing } from "./weighing.ts";

export interface ParsedText {
  /** The fitted numbers that judge what is found in the document. */
  weighing: Weighing;
  lines: TextLine[];
  values: Values;
  kinds: KindVotes;
  /** For each line, the kind that the heading above it names. */
  sections: (KindWord | null)[];
  words: DirectionVote;
  /** Share of the dated lines with amounts that say bought or sold. */
  directedShare: number;
}
