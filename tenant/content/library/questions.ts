/** Questions about the sample library whose right passage is known. */
import { createRandom, type Random } from "../../random.ts";
import { fillIn, LIBRARY_LANGUAGES, type LibraryLanguage, VOCABULARIES } from "./draw-values.ts";
import { LIBRARY_SIZE, type LibraryDocument, libraryDocument } from "./library.ts";

export interface LabelledQuestion {
  readonly text: string;
  readonly language: LibraryLanguage;
  /** `far` has at most one word in common with its passage; `typo` has a misspelt word. */
  readonly kind: "near" | "typo" | "far";
  /** A passage is right if it contains this sentence. */
  readonly sentence: string;
}

const PER_LANGUAGE = 60;
/** In turn; one in five is far. */
const KINDS = ["near", "typo", "near", "far", "typo"] as const;

export function libraryQuestions(seed: string): LabelledQuestion[] {
  const documents = Array.from({ length: LIBRARY_SIZE }, (_, number) =>
    libraryDocument(seed, number),
  );
  return LIBRARY_LANGUAGES.flatMap((language) => {
    const own = documents.filter((document) => document.language === language);
    return Array.from({ length: PER_LANGUAGE }, (_, index) => {
      const random = createRandom(`questions/${seed}/${language}/${index}`);
      return toQuestion(random.pick(own), KINDS[index % KINDS.length]!, random);
    });
  });
}

function toQuestion(
  document: LibraryDocument,
  kind: LabelledQuestion["kind"],
  random: Random,
): LabelledQuestion {
  const { language, parties } = document;
  const facts = document.sections.flatMap(({ fact }) => fact ?? []);
  const { topic, sentence } = random.pick(facts);
  const { near, far } = VOCABULARIES[language].topics[topic];
  // A street would be drawn anew, so it is left out.
  const template = (kind === "far" ? far : random.pick(near)).replace("{street}", "");
  const text = fillIn(template, language, parties, random).trim();
  return { text: kind === "typo" ? misspell(text, random) : text, language, kind, sentence };
}

/** One of the longer words gets a mistake as people make it: two letters swapped, one missing, doubled or wrong. */
function misspell(text: string, random: Random): string {
  const words = [...text.matchAll(/\p{L}{6,}/gu)];
  const { 0: word, index } = random.pick(words);
  const at = 1 + random.below(word.length - 2);
  const wrong = random.pick([
    () => word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2),
    () => word.slice(0, at) + word.slice(at + 1),
    () => word.slice(0, at) + word[at]! + word.slice(at),
    () => word.slice(0, at) + random.pick([..."aeinrst"]) + word.slice(at + 1),
  ])();
  return text.slice(0, index) + wrong + text.slice(index + word.length);
}
