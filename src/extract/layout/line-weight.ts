/** Weights of a word by how many words share its line: headings are short, paragraphs are long. */
export interface LineWeights {
  readonly alone: number;
  readonly heading: number;
  readonly row: number;
  readonly sentence: number;
  readonly paragraph: number;
}

export function weightAmong(words: number, weights: LineWeights): number {
  if (words <= 2) return weights.alone;
  if (words <= 4) return weights.heading;
  if (words <= 8) return weights.row;
  return words <= 14 ? weights.sentence : weights.paragraph;
}
