/** A document before any block of it is looked at: its typed lines, its values and what its words say. */
import type { KindVotes } from "../layout/document-kind.ts";
import type { TextLine } from "../layout/text-line.ts";
import type { KindWord } from "../lexicon/index.ts";
import type { DirectionVote } from "../values/direction.ts";
import type { Values } from "../values/values.ts";
import type { Weighing } from "./weighing.ts";

export interface ParsedText {
  /** The numbers that judge what is found in it. */
  weighing: Weighing;
  lines: TextLine[];
  values: Values;
  kinds: KindVotes;
  /** What the heading above each line names. */
  sections: (KindWord | null)[];
  words: DirectionVote;
  /** How many of the dated lines with amounts say bought or sold. */
  toldShare: number;
}
