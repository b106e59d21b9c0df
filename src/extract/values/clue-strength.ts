/**
 * Thresholds for clues. A label right beside its value gives 1. Every word between them takes away a little,
 * every other value between them two thirds. Ambiguous words start at 0.75 or 0.4; a column header gives
 * about 0.85. The thresholds lie between these cases.
 */

/** An ambiguous word with something between, or the header of a column that may be another. */
export const HINTED = 0.3;
/** An ambiguous word with nothing between. */
export const LIKELY = 0.4;
/** More evidence for it than against it. */
export const NAMED = 0.5;
/** A word or header that usually means it. */
export const PLAIN = 0.6;
/** A word that means nothing else, at most a few words away. */
export const SURE = 0.8;
/** Such a word right beside the value. */
export const BESIDE = 0.9;
