/**
 * Thresholds for clues: how strongly labels say that a value has a certain role, such as price. A label right
 * beside its value gives 1. Every word between them takes away a little, every other value between them two
 * thirds. Ambiguous labels start at 0.75 or 0.4; a column header gives about 0.85. The thresholds lie between
 * these cases.
 */

/** An ambiguous label some words away, or a column header that may belong to the next column. */
export const HINTED = 0.3;
/** An ambiguous label right beside the value. */
export const LIKELY = 0.4;
/** More evidence for the role than against it. */
export const NAMED = 0.5;
/** A label or header that usually means the role. */
export const PLAIN = 0.6;
/** A label that means nothing but the role, at most a few words away. */
export const SURE = 0.8;
/** Such a label right beside the value. */
export const BESIDE = 0.9;
