/** The compiled lexicon: which concepts, directions and kinds of document a phrase names. */
import {
  BUY_WORDS,
  CANCEL_WORDS,
  REINVEST_WORDS,
  REVERSAL_WORDS,
  SELL_WORDS,
} from "./directions.ts";
import { type NonTrade, TRADE_TITLE_WORDS, TYPE_WORDS } from "./document-types.ts";
import { type Concept, LABELS } from "./labels.ts";
import { compile, type Matcher, type PhraseEntry } from "./matcher.ts";
import { SECTION_HEADS } from "./section-heads.ts";

export interface ConceptHit {
  concept: Concept;
  /** 1 for words that name only this concept, less for ambiguous words. */
  strength: number;
}

const FAIR = 0.75;
const WEAK = 0.4;

export type DirectionWord = "BUY" | "SELL" | "CANCEL";

export const reinvestPhrases: ReadonlySet<string> = new Set(phrases(REINVEST_WORDS));

/** Words of a direction that English documents use. */
export const englishDirections: ReadonlySet<string> = new Set(
  phrases({ buy: BUY_WORDS["en"]!, sell: SELL_WORDS["en"]! }),
);

export const reversalPhrases: ReadonlySet<string> = new Set(phrases({ xx: REVERSAL_WORDS }));

export type KindWord = NonTrade | "trade";

/** Everything that words are looked up in. */
interface Lexicon {
  labels: Matcher<ConceptHit[]>;
  directions: Matcher<DirectionWord>;
  kinds: Matcher<KindWord>;
  /** For a line that consists of one of these words only: the kind of section that it heads. */
  heads: ReadonlyMap<string, KindWord>;
  /** Every whole word, folded; used to split letter-spaced lines. */
  words: ReadonlySet<string>;
}

function compileLexicon(keep: (phrase: string) => boolean): Lexicon {
  const kept = <T>(entries: readonly PhraseEntry<T>[]) =>
    compile(entries.filter(({ phrase }) => keep(phrase)));
  return {
    labels: kept(labelEntries()),
    directions: kept(directionEntries()),
    kinds: kept(kindEntries()),
    heads: new Map(headEntries().filter(([phrase]) => keep(phrase))),
    words: wordsOf(keep),
  };
}

/** Words of a language that the lexicon lacks: lists separated by commas, in lower case and without accents. */
export interface LanguageWords {
  readonly buy: string;
  readonly sell: string;
  readonly cancel?: string;
  /** What a document that reports a trade is called. */
  readonly title: string;
  readonly labels: Readonly<Partial<Record<Concept, string>>>;
}

const added: LanguageWords[] = [];
const addedAs = (word: "buy" | "sell" | "cancel" | "title") =>
  Object.fromEntries(added.map((language, index) => [`+${index}`, language[word] ?? ""]));
const addedLabels = (): [Concept, string][] =>
  added.flatMap(({ labels }) => Object.entries(labels) as [Concept, string][]);

export let lexicon: Lexicon = compileLexicon(() => true);

/** Makes the extractor know one more language, in this process. */
export function addLanguage(words: LanguageWords): void {
  added.push(words);
  lexicon = compileLexicon(() => true);
}

/**
 * Disables every entry that `keep` rejects, until it is called again. Only for measurements, so that words
 * learnt from a bank's own documents do not help when that bank is measured.
 */
export function restrictLexicon(keep: (phrase: string) => boolean): void {
  lexicon = compileLexicon(keep);
}

function directionEntries(): PhraseEntry<DirectionWord>[] {
  return [
    ...entriesOf({ ...BUY_WORDS, ...addedAs("buy") }, "BUY" as const),
    ...entriesOf(REINVEST_WORDS, "BUY" as const),
    ...entriesOf({ ...SELL_WORDS, ...addedAs("sell") }, "SELL" as const),
    ...entriesOf({ ...CANCEL_WORDS, ...addedAs("cancel") }, "CANCEL" as const),
  ];
}

function kindEntries(): PhraseEntry<KindWord>[] {
  return [
    ...Object.entries(TYPE_WORDS).flatMap(([kind, words]) => entriesOf(words, kind as KindWord)),
    ...entriesOf({ ...TRADE_TITLE_WORDS, ...addedAs("title") }, "trade" as const),
  ];
}

function headEntries(): (readonly [string, KindWord])[] {
  return Object.entries(SECTION_HEADS).flatMap(([kind, words]) =>
    phrases(words).map((phrase) => [phrase, kind as KindWord] as const),
  );
}

function phrases(words: Readonly<Record<string, string>>): string[] {
  return Object.values(words)
    .filter((list) => list !== "")
    .flatMap((list) => list.split(",").map((phrase) => phrase.trim()));
}

function entriesOf<T>(words: Readonly<Record<string, string>>, value: T): PhraseEntry<T>[] {
  return [...new Set(phrases(words))].map((phrase) => ({ phrase, value }));
}

function labelEntries(): PhraseEntry<ConceptHit[]>[] {
  const byPhrase = new Map<string, ConceptHit[]>();
  for (const [concept, words] of Object.entries(LABELS)) {
    for (const phrase of phrases(words.strong)) add(byPhrase, phrase, concept as Concept, 1);
    for (const phrase of phrases(words.fair ?? {})) add(byPhrase, phrase, concept as Concept, FAIR);
    for (const phrase of phrases(words.weak ?? {})) add(byPhrase, phrase, concept as Concept, WEAK);
  }
  for (const [concept, list] of addedLabels())
    for (const phrase of phrases({ list })) add(byPhrase, phrase, concept, 1);
  return [...byPhrase].map(([phrase, value]) => ({ phrase, value }));
}

function add(
  map: Map<string, ConceptHit[]>,
  phrase: string,
  concept: Concept,
  strength: number,
): void {
  const hits = map.get(phrase) ?? [];
  if (!hits.some((hit) => hit.concept === concept)) hits.push({ concept, strength });
  map.set(phrase, hits);
}

function wordsOf(keep: (phrase: string) => boolean): Set<string> {
  const all = [
    ...Object.values(LABELS).flatMap((words) => [words.strong, words.fair ?? {}, words.weak ?? {}]),
    BUY_WORDS,
    REINVEST_WORDS,
    SELL_WORDS,
    CANCEL_WORDS,
    TRADE_TITLE_WORDS,
    ...Object.values(TYPE_WORDS),
    ...(["buy", "sell", "cancel", "title"] as const).map(addedAs),
    ...addedLabels().map(([, list]) => ({ list })),
  ];
  return new Set(
    all
      .flatMap(phrases)
      .filter(keep)
      .flatMap((phrase) => phrase.split(" "))
      .filter((word) => word.length >= 2 && !word.includes("*")),
  );
}
