/**
 * The sample library: 430 documents in 25 matters, in four languages and ten kinds of files. 100 of them are nearly
 * the same as another one. The same seed gives the same texts.
 */

import { createRandom } from "../../random.ts";
import { type Composition, compose } from "./compose-document.ts";
import { firmName, LIBRARY_LANGUAGES, type LibraryLanguage, type Parties } from "./draw-values.ts";

export const LIBRARY_KINDS = [
  "docx",
  "pdf",
  "eml",
  "txt",
  "html",
  "xlsx",
  "rtf",
  "pptx",
  "csv",
  "msg",
] as const;
export type LibraryKind = (typeof LIBRARY_KINDS)[number];

export interface Matter {
  readonly number: number;
  readonly name: string;
  readonly client: string;
  readonly language: LibraryLanguage;
  /** The people who may read its documents; the administrator may read all. */
  readonly readers: readonly string[];
}

export interface LibraryDocument extends Composition {
  readonly number: number;
  readonly matter: Matter;
  readonly fileName: string;
  readonly kind: LibraryKind;
  readonly language: LibraryLanguage;
  readonly parties: Parties;
  /** The number of the document that it nearly repeats. */
  readonly copyOf: number | null;
}

const MATTER_COUNT = 25;
const ORIGINAL_COUNT = 330;
const COPY_COUNT = 100;
export const LIBRARY_SIZE = ORIGINAL_COUNT + COPY_COUNT;

/** Clients are named from the end of the list of firms, parties from its beginning. */
const CLIENTS_FROM = 200;
/** Every eighth document is in another language than its matter. */
const OTHER_EVERY = 8;
const LENGTH_MIN = 15_000;
const LENGTH_SPREAD = 26_000;

export function libraryMatter(number: number): Matter {
  const language = LIBRARY_LANGUAGES[number % LIBRARY_LANGUAGES.length]!;
  const client = firmName(language, CLIENTS_FROM + number).full;
  return {
    number,
    client,
    language,
    name: `${client} ${100 + number}`,
    readers: readersOf(number),
  };
}

function readersOf(matter: number): string[] {
  return [
    ...(matter % 3 !== 0 ? ["nina.berg"] : []),
    ...(matter % 3 !== 1 ? ["omar.haddad"] : []),
    ...(matter % 5 === 0 ? ["tomas.lindqvist"] : []),
  ];
}

/** Everybody who is named as a reader: they see what is theirs or shared with them, and nothing else. */
export const LIBRARY_READERS = ["nina.berg", "omar.haddad", "tomas.lindqvist"];

export function libraryDocument(seed: string, number: number): LibraryDocument {
  const copyOf = number < ORIGINAL_COUNT ? null : (number - ORIGINAL_COUNT) * 3;
  const original = copyOf ?? number;
  const matter = libraryMatter(original % MATTER_COUNT);
  const turn = original % OTHER_EVERY === OTHER_EVERY - 1 ? 1 + (original % 3) : 0;
  const language = LIBRARY_LANGUAGES[(matter.number + turn) % LIBRARY_LANGUAGES.length]!;
  const random = createRandom(`${seed}/library/${original}`);
  const firm = firmName(language, partyNumber(original));
  const parties = { client: matter.client, party: firm.full, name: firm.name };
  const composition = compose({
    seed: `${seed}/${original}`,
    language,
    parties,
    lengthMin: LENGTH_MIN + random.fork("length").below(LENGTH_SPREAD),
    copy: copyOf === null ? undefined : number,
  });
  const kind =
    LIBRARY_KINDS[(number + Math.floor(number / LIBRARY_KINDS.length)) % LIBRARY_KINDS.length]!;
  const ending = copyOf === null ? "" : `-${number}`;
  const fileName = `${composition.file}-${plainName(firm.name)}${ending}.${kind}`;
  return { ...composition, number, matter, fileName, kind, language, parties, copyOf };
}

/** No two originals of a language have the same party: those in the matter's language come first, then the others. */
function partyNumber(original: number): number {
  const perLanguage = Math.ceil(MATTER_COUNT / LIBRARY_LANGUAGES.length);
  if (original % OTHER_EVERY === OTHER_EVERY - 1)
    return (
      perLanguage * Math.ceil(ORIGINAL_COUNT / MATTER_COUNT) + Math.floor(original / OTHER_EVERY)
    );
  const place = Math.floor((original % MATTER_COUNT) / LIBRARY_LANGUAGES.length);
  return perLanguage * Math.floor(original / MATTER_COUNT) + place;
}

const plainName = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase();
