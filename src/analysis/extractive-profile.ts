/** A profile without a model: sentences, words and figures of the text, chosen by their form and by counting. */
import { findFacts } from "./find-facts.ts";
import { chooseSentences, countTopics, type Weighed, weighSentences } from "./key-sentences.ts";
import { type Prose, readProse } from "./sentences.ts";
import { contentWords } from "./stop-words.ts";

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

/** A profile with what only the text itself gives. */
export interface Extract extends Profile {
  /** What a contract turns on: the sentences themselves, with the heading above them. */
  readonly terms?: readonly string[];
}

export type ExtractPart = keyof Extract;

const TEXT_MAX = 60_000;
const SUMMARY_SENTENCES = 6;
const TERMS_MAX = 16;
const TLDR_MAX = 300;
const KEYWORDS_MAX = 12;
const WORD_LENGTH_MIN = 5;
const HEADINGS_MAX = 8;
const HEADING_LENGTH_MAX = 40;

/** Words of the title count most. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ["Invoice", /(?<!\p{L})(?:invoice|amount due|rechnung|facture|factura)/giu],
  [
    "Contract",
    /(?<!\p{L})(?:agreement|contract|lease|loan|licen[cs]e|parties|vertrag|\p{L}{2,20}vertrag|darlehen|lizenz|contrat|bail|prêt|licence|contrato|arrendamiento|préstamo|licencia)/giu,
  ],
  ["Minutes", /(?<!\p{L})(?:minutes of|protokoll|procès-verbal|acta de)/giu],
  ["Report", /(?<!\p{L})(?:report|bericht|rapport|informe)/giu],
  ["Letter", /(?<!\p{L})(?:dear|sehr geehrte|madame, monsieur|estimad[oa])/giu],
];
const MAIL = /^Subject: /;
/** A text that speaks of so many topics of contracts is one, whatever its title. */
const CONTRACT_TOPICS = 4;

export function extractProfile(text: string): Extract {
  const sample = text.slice(0, TEXT_MAX);
  const prose = readProse(sample);
  const weighed = weighSentences(prose.sentences);
  const chosen = chooseSentences(weighed, SUMMARY_SENTENCES);
  const important = weighed
    .filter(({ topics, repeats }) => topics.length > 0 && repeats < 0.5)
    .map((sentence) => sentence.text);
  return {
    summary: chosen.map((sentence) => sentence.text).join(" "),
    tldr: sumUp(prose, chosen),
    keywords: keywordsOf(prose, weighed),
    kind: kindOf(sample, prose, weighed),
    terms: chooseSentences(weighed, TERMS_MAX)
      .filter(({ topics }) => topics.length > 0)
      .map((sentence) =>
        sentence.heading === null ? sentence.text : `${sentence.heading}: ${sentence.text}`,
      ),
    ...findFacts(sample, [
      chosen.map((sentence) => sentence.text).join("\n"),
      important.join("\n"),
    ]),
  };
}

/** The title and how the text begins. */
function sumUp({ title }: Prose, chosen: readonly Weighed[]): string {
  const first = chosen[0]?.text ?? "";
  const whole = title === null || first.includes(title) ? first : `${title}. ${first}`.trim();
  if (whole.length <= TLDR_MAX) return whole;
  return `${whole.slice(0, whole.lastIndexOf(" ", TLDR_MAX - 2))} …`;
}

/** Headings say best what a text is about; then its most frequent words, without those of forms that were filled in. */
function keywordsOf({ headings }: Prose, weighed: readonly Weighed[]): string[] {
  const uses = new Map<string, number>();
  for (const each of headings) uses.set(each, (uses.get(each) ?? 0) + 1);
  const once = headings.filter((each) => each.length <= HEADING_LENGTH_MAX && uses.get(each) === 1);
  const counts = new Map<string, number>();
  for (const { text, repeats } of weighed)
    for (const word of repeats < 0.5 ? contentWords(text) : [])
      counts.set(word, (counts.get(word) ?? 0) + 1);
  const known = new Set(contentWords(once.join(" ")));
  const words = [...counts]
    .filter(([word]) => word.length >= WORD_LENGTH_MIN && !known.has(word))
    .sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
    .map(([word]) => word);
  return [...once.slice(0, HEADINGS_MAX), ...words].slice(0, KEYWORDS_MAX);
}

function kindOf(sample: string, { title }: Prose, weighed: readonly Weighed[]): string {
  if (MAIL.test(sample)) return "Email";
  const beginning = sample.slice(0, 3_000);
  const scores = KINDS.map(([kind, pattern]): [string, number] => {
    const inTitle = (title?.match(pattern) ?? []).length;
    const inText = Math.min(2, (beginning.match(pattern) ?? []).length);
    const isContract = kind === "Contract" && countTopics(weighed) >= CONTRACT_TOPICS;
    return [kind, 3 * Math.min(1, inTitle) + inText + (isContract ? 3 : 0)];
  });
  const best = scores.reduce((one, other) => (other[1] > one[1] ? other : one));
  return best[1] === 0 ? "Other" : best[0];
}

/** The parts that a playbook asks for, as text. */
export function describeProfile(profile: Extract, parts: readonly ExtractPart[]): string {
  const lines = parts.flatMap((part) => {
    const value = profile[part] ?? [];
    const text = typeof value === "string" ? value : listed(value, part);
    return text === "" ? [] : [`${part[0]!.toUpperCase()}${part.slice(1)}: ${text}`];
  });
  return lines.join("\n\n");
}

const listed = (values: readonly string[], part: ExtractPart): string =>
  part === "terms" ? values.map((value) => `\n- ${value}`).join("") : values.join("; ");

export const WITHOUT_MODEL = "(Extracted from the text without a model.)";
