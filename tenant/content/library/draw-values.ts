import type { Random } from "../../random.ts";
import { numberStyleOf, writeDate, writeNumber } from "../notes/locale.ts";
import { GERMAN } from "./words/de.ts";
import { ENGLISH } from "./words/en.ts";
import { SPANISH } from "./words/es.ts";
import { FRENCH } from "./words/fr.ts";
import type { Vocabulary } from "./words/vocabulary.ts";

export const LIBRARY_LANGUAGES = ["en", "de", "fr", "es"] as const;
export type LibraryLanguage = (typeof LIBRARY_LANGUAGES)[number];

export const VOCABULARIES: Readonly<Record<LibraryLanguage, Vocabulary>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
};

/** Values that stay the same within a document. */
export interface Parties {
  readonly client: string;
  readonly party: string;
  /** The first word of the party, as people call it. */
  readonly name: string;
}

const MONTHS: Readonly<Record<LibraryLanguage, readonly string[]>> = {
  en: "January February March April May June July August September October November December".split(
    " ",
  ),
  de: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(
    " ",
  ),
  fr: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(
    " ",
  ),
  es: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(
    " ",
  ),
};

/** Name number `index` of a language; there are 240 that differ. */
export function firmName(language: LibraryLanguage, index: number): { name: string; full: string } {
  const [first, second, form] = VOCABULARIES[language].firms;
  const row = Math.floor(index / first.length);
  const column = index % first.length;
  const name = `${first[column]}${second[(row + column) % second.length]}`;
  return { name, full: `${name} ${form}` };
}

/** Firms that insure; parties and clients have lower numbers. */
const INSURERS_FROM = 226;

/** Replaces the words in braces; each occurrence is drawn by itself. */
export function fillIn(
  template: string,
  language: LibraryLanguage,
  parties: Parties,
  random: Random,
): string {
  const words = VOCABULARIES[language];
  const sum = (step: number, most: number) => {
    const value = step * (1 + random.below(most));
    return words.amount(writeNumber(value, numberStyleOf(language), 0));
  };
  const from: Readonly<Record<string, () => string>> = {
    client: () => parties.client,
    party: () => parties.party,
    name: () => parties.name,
    person: () => `${random.pick(words.people[0])} ${random.pick(words.people[1])}`,
    person2: () => `${random.pick(words.people[0])} ${random.pick(words.people[1])}`,
    town: () => random.pick(words.towns),
    street: () => random.pick(words.streets),
    bank: () => random.pick(words.banks),
    firm: () => firmName(language, INSURERS_FROM + random.below(14)).full,
    sum: () => sum(random.pick([50, 350, 1_200]), 90),
    sum2: () => sum(25_000, 40),
    number: () => String(2 + random.below(17)),
    years: () => String(2 + random.below(13)),
    months: () => String(2 + random.below(34)),
    days: () => String(5 + random.below(80)),
    percent: () => writeNumber(1.25 + random.below(40) / 4, numberStyleOf(language), 2, 1),
    hour: () => String(6 + random.below(4)),
    hour2: () => String(15 + random.below(6)),
    month: () => random.pick(MONTHS[language]),
    date: () => drawDate(language, random),
    code: () => `${random.pick(["A", "D", "K", "R", "T"])}-${1_000 + random.below(9_000)}`,
  };
  return template.replace(/\{(\w+)\}/g, (_, slot: string) => from[slot]!());
}

function drawDate(language: LibraryLanguage, random: Random): string {
  const day = new Date(Date.UTC(2023, 0, 1 + random.below(1_300))).toISOString().slice(0, 10);
  if (language === "de") return writeDate(day, "dd.mm.yyyy", language);
  return writeDate(day, language === "es" ? "dd/mm/yyyy" : "d month yyyy", language);
}
