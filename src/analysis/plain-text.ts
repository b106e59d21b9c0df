/**
 * What a model writes, as it may be shown, stored and exported: words without links, pictures and tags, because a link
 * could carry the text of a document to a stranger. Works on pieces: only the last, unfinished word is held back.
 */
export interface PlainText {
  /** The part that is complete now. */
  add(piece: string): string;
  /** What was held back. */
  end(): string;
}

/** A longer run without a space is not a word. */
const WORD_LENGTH_MAX = 500;
/** A scheme, or what readers of Markdown take for an address wherever a word could begin, also after `_` or `(`. */
const LINK = /:\/\/|(?<![\p{L}\p{N}])(?:www\.|(?:mailto|data|javascript):)/iu;
/** All control characters but tabs and line breaks. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
/** Invisible characters: they can hide text in text, or reverse its direction. Joiners inside a word belong to it. */
const INVISIBLE = /(?![\u200c\u200d])\p{Cf}/gu;

export function createPlainText(): PlainText {
  let held = "";
  return {
    add(piece) {
      held += piece.replace(CONTROLS, "");
      const words = held.split(/(\s+)/u);
      held = words.pop()!;
      const whole = words.map(cleanWord).join("");
      if (held.length <= WORD_LENGTH_MAX) return whole;
      const cut = `${cleanWord(held)} `;
      held = "";
      return whole + cut;
    },
    end: () => cleanWord(held),
  };
}

export function toPlainText(text: string): string {
  const plain = createPlainText();
  return plain.add(text) + plain.end();
}

function cleanWord(original: string): string {
  const word = original.replace(INVISIBLE, "");
  if (LINK.test(word)) return "(link removed)";
  // Markdown makes links of `](`, `][` and `]:`; HTML makes tags of `<` before a letter.
  return word.replace(/\](?=[([:])/g, "] ").replace(/<(?=[a-z/!?])/gi, "‹");
}
