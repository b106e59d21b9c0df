/** The sentences that a careful reader would mark: what a contract turns on, what is asked, and then what a text is about. */
import type { Sentence } from "./sentences.ts";
import { contentWords } from "./stop-words.ts";

/** What people look for first comes first; in English, German, French and Spanish. */
const TOPICS: readonly RegExp[] = [
  // When it begins and ends.
  /\b(?:commenc|expir|fixed term|takes? effect|has a term|laufzeit|beginnt|befristet|durée|prend effet|commence|expire|duración|comienza|vence|en vigor)/iu,
  // How one gets out.
  /\b(?:terminat|notice period|giving notice|gekündigt|kündig|résili|préavis|rescind|resolver|preaviso)/iu,
  // What it costs.
  /\b(?:fee|rent|price|purchase|instal|salary|vergütung|miete|preis|entgelt|honorar|redevance|loyer|prix|honoraires|canon|renta|precio|cuota)\p{L}{0,3}\b/iu,
  // What is asked for.
  /\b(?:please|could you|would you|bitte|würden sie|merci de|veuillez|pourriez|por favor|le ruego|rogamos)\b/iu,
  // What happens if it goes wrong.
  /\b(?:liab|penalt|indemn|haftet|haftung|vertragsstrafe|responsab|pénalité|penalidad|penalización|indemniz)/iu,
  // What secures it.
  /(?:\b(?:warrant|guarant|deposit|insur|gewähr|kaution|versicher|bürgschaft|garanti|caution|dépôt|assur|garant|fianza|depósito|seguro)|interest of)/iu,
  // Which law and which court.
  /\b(?:governed by|jurisdiction|arbitrat|courts? of|gerichtsstand|recht von|es gilt|schiedsgericht|tribuna|droit applicable|régi|arbitrage|arbitraje|juzgad|se rige)/iu,
  // What has to be done until when.
  /\b(?:deadline|at the latest|due on|no later than|spätestens|fällig|au plus tard|échéance|a más tardar|plazo)/iu,
];

const LENGTH_MIN = 25;
const LENGTH_MAX = 500;
const SENTENCES_MAX = 600;
/** What stands in at least this many sentences is a form that was filled in. */
const FORM_SENTENCES = 3;
/** Sentences that repeat more than this are the form itself and say nothing of their own. */
const REPEATS_MAX = 0.5;
/** Two sentences that share this much of their words say the same. */
const OVERLAP_MAX = 0.5;
const FIGURE = /\p{N}/u;

export interface Weighed extends Sentence {
  readonly at: number;
  readonly words: ReadonlySet<string>;
  /** Numbers of the topics that it speaks of. */
  readonly topics: readonly number[];
  /** How much of it also stands in other sentences, from 0 to 1: the form of a log or a table. */
  readonly repeats: number;
  readonly worth: number;
}

export function weighSentences(sentences: readonly Sentence[]): Weighed[] {
  const candidates = sentences
    .map((sentence, at) => ({ ...sentence, at, pairs: pairsOf(sentence.text) }))
    .filter(({ text }) => text.length >= LENGTH_MIN && text.length <= LENGTH_MAX)
    .slice(0, SENTENCES_MAX);
  const uses = new Map<string, number>();
  for (const { pairs } of candidates)
    for (const pair of pairs) uses.set(pair, (uses.get(pair) ?? 0) + 1);
  const counts = new Map<string, number>();
  const weighed = candidates.map(({ pairs, ...sentence }) => {
    const repeated = [...pairs].filter((pair) => uses.get(pair)! >= FORM_SENTENCES).length;
    const words = new Set(contentWords(sentence.text));
    const repeats = pairs.size === 0 ? 0 : repeated / pairs.size;
    if (repeats < REPEATS_MAX)
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const topics = TOPICS.flatMap((topic, number) => (topic.test(sentence.text) ? [number] : []));
    return { ...sentence, words, topics, repeats };
  });
  return weighed.map((sentence) => ({ ...sentence, worth: worthOf(sentence, counts) }));
}

function pairsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`));
}

function worthOf(sentence: Omit<Weighed, "worth">, counts: ReadonlyMap<string, number>): number {
  const { words, isFirst, text, topics, repeats } = sentence;
  const common = [...words].reduce((sum, word) => sum + Math.log2(counts.get(word) ?? 1), 0);
  const signs = (isFirst ? 1 : 0) + (FIGURE.test(text) ? 0.6 : 0) + Math.min(2, topics.length);
  return (common / (words.size + 4) + signs) * (1 - 0.8 * repeats);
}

/** Of every topic the best sentence, as long as there is room; then the best of the rest. In the order of the text. */
export function chooseSentences(weighed: readonly Weighed[], count: number): Weighed[] {
  const best = [...weighed].sort((a, b) => b.worth - a.worth || a.at - b.at);
  const chosen: Weighed[] = [];
  const take = (wanted: Weighed | undefined) => {
    if (wanted !== undefined && chosen.length < count && !chosen.includes(wanted))
      chosen.push(wanted);
  };
  const opening = weighed[0];
  if (opening !== undefined && opening.at <= 1 && opening.repeats < REPEATS_MAX) take(opening);
  // A sentence that opens a section or has a figure is a rule; another one may only mention the topic.
  for (const isRule of [true, false])
    for (const topic of TOPICS.keys()) {
      const onTopic = best.filter(
        ({ topics, repeats }) => topics.includes(topic) && repeats < REPEATS_MAX,
      );
      if (chosen.some((each) => onTopic.includes(each))) continue;
      take(onTopic.find(({ isFirst, text }) => !isRule || isFirst || FIGURE.test(text)));
    }
  for (const each of best)
    if (chosen.every((other) => overlap(each, other) < OVERLAP_MAX)) take(each);
  return chosen.sort((a, b) => a.at - b.at);
}

function overlap(one: Weighed, other: Weighed): number {
  const both = [...one.words].filter((word) => other.words.has(word)).length;
  return both / Math.max(1, Math.min(one.words.size, other.words.size));
}

/** How many of the topics of contracts a text speaks of. */
export const countTopics = (weighed: readonly Weighed[]): number =>
  new Set(weighed.filter(({ repeats }) => repeats < REPEATS_MAX).flatMap(({ topics }) => topics))
    .size;
