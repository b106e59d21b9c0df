/** A profile without a model: sentences, words and figures of the text, chosen by counting. */
export interface Profile {
  readonly summary: string;
  readonly tldr: string;
  readonly keywords: readonly string[];
  readonly kind: string;
  readonly dates: readonly string[];
  readonly parties: readonly string[];
  readonly people: readonly string[];
  readonly amounts: readonly string[];
  readonly references: readonly string[];
}

export type ExtractPart = keyof Profile;

const TEXT_MAX = 60_000;
const SENTENCES_MAX = 400;
const SUMMARY_SENTENCES = 4;
const LIST_MAX = 12;

const KINDS: readonly (readonly [string, RegExp])[] = [
  ["Contract", /\b(?:agreement|contract|lease|vertrag|contrat|contrato|bail)\b/i],
  ["Invoice", /\b(?:invoice|rechnung|facture|factura)\b/i],
  ["Email", /^(?:subject|from): /im],
  ["Report", /\b(?:report|bericht|rapport|informe)\b/i],
  ["Letter", /\b(?:dear|sehr geehrte|madame, monsieur|estimad[oa])\b/i],
];
const DATE =
  /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{1,2}\.? (?:de )?(?:jan|feb|mar|mär|apr|avr|abr|may|mai|may|jun|jul|aug|aoû|ago|sep|oct|okt|nov|dec|dez|déc|dic|ene|fév|jui)\p{L}*\.?(?: (?:de )?\d{4})?/giu;
const AMOUNT =
  /(?:[€$£]|\b(?:EUR|USD|GBP|CHF)) ?\d[\d.,' ]*\d|\b\d[\d.,']*\d? ?(?:[€$£]|EUR\b|USD\b|GBP\b|CHF\b|euros?\b)/giu;
const PARTY =
  /\b\p{Lu}[\p{L}&.-]+(?: (?:\p{Lu}[\p{L}&.-]+|&|und|and|et|y)){0,4} (?:GmbH|AG|SE|KG|Ltd|Limited|LLP|LLC|Inc|plc|SA|SAS|SARL|SL|BV|NV|AB)\b\.?/gu;

export function extractProfile(text: string): Profile {
  const sample = text.slice(0, TEXT_MAX);
  const weights = wordWeights(sample);
  const sentences = sentencesOf(sample);
  const best = [...sentences.keys()]
    .sort((a, b) => scoreOf(sentences[b]!, weights, b) - scoreOf(sentences[a]!, weights, a))
    .slice(0, SUMMARY_SENTENCES);
  const inOrder = best.toSorted((a, b) => a - b).map((at) => sentences[at]!);
  return {
    summary: inOrder.join(" "),
    tldr: best.length === 0 ? "" : sentences[best[0]!]!.slice(0, 300),
    keywords: [...weights]
      .sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
      .slice(0, LIST_MAX)
      .map(([word]) => word),
    kind: KINDS.find(([, pattern]) => pattern.test(sample.slice(0, 3_000)))?.[0] ?? "Other",
    dates: distinct(sample.match(DATE)),
    parties: distinct(sample.match(PARTY)),
    amounts: distinct(sample.match(AMOUNT)),
    // Counting words finds no people and no references.
    people: [],
    references: [],
  };
}

const distinct = (found: readonly string[] | null): string[] =>
  [...new Set((found ?? []).map((each) => each.replace(/\s+/g, " ").trim()))].slice(0, LIST_MAX);

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= 30 && sentence.length <= 600)
    .slice(0, SENTENCES_MAX);
}

/** Long words that occur often say what a text is about, in any language. */
function wordWeights(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/\p{L}{6,}/gu) ?? [])
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function scoreOf(sentence: string, weights: ReadonlyMap<string, number>, at: number): number {
  const words = sentence.toLowerCase().match(/\p{L}{6,}/gu) ?? [];
  const sum = words.reduce((total, word) => total + Math.min(8, weights.get(word) ?? 0), 0);
  // What stands first is often what matters.
  return sum / Math.sqrt(words.length + 1) + (at < 3 ? 1 : 0);
}

/** The parts that a playbook asks for, as text. */
export function describeProfile(profile: Profile, parts: readonly ExtractPart[]): string {
  const lines = parts.flatMap((part) => {
    const value = profile[part];
    const text = typeof value === "string" ? value : value.join("; ");
    return text === "" ? [] : [`${part[0]!.toUpperCase()}${part.slice(1)}: ${text}`];
  });
  return lines.join("\n\n");
}

export const WITHOUT_MODEL = "(Extracted from the text without a model.)";
