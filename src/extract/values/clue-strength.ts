/**
 * How strong a clue has to be. A label right beside its value gives 1. Every word between them takes a
 * little, every other value between them two thirds; words with several meanings begin at 0.75 or 0.4; the
 * head of a column gives about 0.85. These steps lie between what such situations give.
 */

/** A word that may mean it, with something between, or the head of a column that may be another. */
export const HINTED = 0.3;
/** A word that may mean it, with nothing between. */
export const LIKELY = 0.4;
/** More for it than against it. */
export const NAMED = 0.5;
/** A word that usually means it, or a head that does. */
export const PLAIN = 0.6;
/** A word that means nothing else, at most a few words away. */
export const SURE = 0.8;
/** Such a word right beside the value. */
export const BESIDE = 0.9;
