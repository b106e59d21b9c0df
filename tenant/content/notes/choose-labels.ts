import type { Language } from "./note.ts";
import { DANISH, PORTUGUESE, SWEDISH } from "./words/da-pt-sv.ts";
import { ENGLISH, GERMAN } from "./words/de-en.ts";
import { DUTCH, SPANISH } from "./words/es-nl.ts";
import { FRENCH, ITALIAN } from "./words/fr-it.ts";
import type { Labels } from "./words/labels.ts";

const ALL: Record<Language, Labels> = {
  de: GERMAN,
  en: ENGLISH,
  fr: FRENCH,
  it: ITALIAN,
  es: SPANISH,
  nl: DUTCH,
  pt: PORTUGUESE,
  da: DANISH,
  sv: SWEDISH,
};

/** Chooses one wording per idea, once, so that a note does not change its words halfway. */
export function chooseLabels(language: Language, pick: (ways: string[]) => string): Labels {
  const entries = Object.entries(ALL[language]).map(([key, ways]) => {
    const isList = key === "cashLines";
    return [key, isList ? ways : pick((ways as string).split("|"))];
  });
  return Object.fromEntries(entries) as Labels;
}
