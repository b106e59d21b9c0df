/** Dates, amounts, organisations, people and references that stand in a text, found by their form. Most frequent first. */

const MONTH =
  "(?:jan(?:uary?|uar|vier)?|feb(?:ruary?|ruar|rero)?|fév(?:rier)?|mar(?:ch|s|zo)?|märz|apr(?:il)?|avr(?:il)?|abr(?:il)?|may|mai|mayo|june?|juni|junio|juin|july?|juli|julio|juillet|aug(?:ust)?|août|ago(?:sto)?|sept?(?:ember|embre|iembre)?|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?|de[cz](?:ember)?|déc(?:embre)?|dic(?:iembre)?|ene(?:ro)?)";
const DATE = new RegExp(
  [
    "\\b\\d{4}-\\d{2}-\\d{2}\\b",
    "\\b\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}\\b",
    `\\b\\d{1,2}\\.?(?:er|st|nd|rd|th)? (?:de |of )?${MONTH}\\.?(?: (?:de )?\\d{4})?\\b`,
    `\\b${MONTH} \\d{1,2},? \\d{4}\\b`,
  ].join("|"),
  "giu",
);

const NUMBER =
  "\\d{1,3}(?:[.,'’ \\u00a0\\u202f]\\d{3}){1,4}(?:[.,]\\d{1,2})?|\\d{1,15}(?:[.,]\\d{1,2})?";
const CODE = "EUR|USD|GBP|CHF|SEK|DKK|NOK|JPY";
const AMOUNT = new RegExp(
  `(?<![\\d.,])(?:(?:[€$£]|\\b(?:${CODE})) ?(?:${NUMBER})(?!\\d)|(?:${NUMBER}) ?(?:[€$£]|(?:${CODE}|pounds?(?: sterling)?|euros?|dollars?|francs?|Franken)\\b))`,
  "giu",
);

const WORD = "\\p{Lu}[\\p{L}&.'’-]{1,40}";
const FORM =
  "GmbH(?: & Co\\. KG)?|AG|SE|KG|Ltd|Limited|LLP|LLC|Inc|Corp|plc|PLC|S\\.A\\.|SA|SAS|SARL|S\\.L\\.|SL|SLU|BV|B\\.V\\.|NV|AB|ApS|Oy|SpA|Srl";
const ORGANISATION = new RegExp(
  `(?<![\\p{L}\\p{N}])${WORD}(?: (?:${WORD}|&|und|and|et|y|de|für|of)){0,4}? (?:${FORM})(?![\\p{L}])`,
  "gu",
);

const TITLE = "(?:Mr|Mrs|Ms|Dr|Prof|Herrn?|Frau|Monsieur|Madame|Mme|Don|Doña|Señora?|Sra?)\\.? ";
const NAME = "\\p{Lu}\\p{Ll}{1,30}(?:-\\p{Lu}\\p{Ll}{1,30})?";
const PERSON = new RegExp(`(?<![\\p{L}\\p{N}-])(${TITLE})?(${NAME}) (${NAME})(?![\\p{L}-])`, "gu");

const REFERENCE = /(?<![\p{L}\p{N}/-])\p{Lu}{1,6}[-/ ]?\d{3,}(?:[-/]\d+){0,3}(?![\p{L}\p{N}])/gu;

const LIST_MAX = 12;

export interface Facts {
  readonly dates: readonly string[];
  readonly amounts: readonly string[];
  readonly parties: readonly string[];
  readonly people: readonly string[];
  readonly references: readonly string[];
}

/** What stands in the first of the `important` texts comes first, then what stands in the next one. */
export function findFacts(text: string, important: readonly string[]): Facts {
  const find = (pattern: RegExp) => mostFrequent(text.match(pattern) ?? [], important);
  const parties = findOrganisations(text);
  return {
    dates: find(DATE),
    amounts: find(AMOUNT),
    parties,
    people: findPeople(text, parties),
    references: find(REFERENCE),
  };
}

function mostFrequent(found: readonly string[], important: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const each of found.map((value) => value.replace(/\s+/g, " ").trim()))
    counts.set(each, (counts.get(each) ?? 0) + 1);
  const placeOf = (value: string) => {
    const place = important.findIndex((some) => some.includes(value));
    return place < 0 ? important.length : place;
  };
  return [...counts]
    .sort((a, b) => placeOf(a[0]) - placeOf(b[0]) || b[1] - a[1])
    .slice(0, LIST_MAX)
    .map(([value]) => value);
}

/** Words before a name may look like a part of it: the shorter name counts if it stands alone more often. */
function findOrganisations(text: string): string[] {
  const counts = new Map<string, number>();
  for (const match of text.match(ORGANISATION) ?? [])
    counts.set(match, (counts.get(match) ?? 0) + 1);
  const hasBetterEnd = (name: string, count: number) => {
    const words = name.split(" ");
    return words.some((_, at) => (counts.get(words.slice(at).join(" ")) ?? 0) > count);
  };
  return [...counts]
    .filter(([name, count]) => !hasBetterEnd(name, count))
    .sort((a, b) => b[1] - a[1])
    .slice(0, LIST_MAX)
    .map(([name]) => name);
}

/**
 * Two capitalised words that the text never writes in lower case, or two after a title. Others may look the same, so
 * without a title a name counts only if it stands there twice.
 */
function findPeople(text: string, parties: readonly string[]): string[] {
  const small = new Set(text.match(/(?<!\p{L})\p{Ll}{2,40}(?!\p{L})/gu) ?? []);
  const firms = parties.join(" ");
  const counts = new Map<string, number>();
  for (const [, title, first, last] of text.matchAll(PERSON)) {
    const isWord = [first!, last!].some((each) => small.has(each.toLowerCase()));
    if ((title === undefined && isWord) || firms.includes(first!) || NO_NAME.test(last!)) continue;
    const name = `${first} ${last}`;
    counts.set(name, (counts.get(name) ?? 0) + (title === undefined ? 1 : 2));
  }
  return [...counts]
    .filter(([, count]) => count > 1)
    .sort((a, b) => b[1] - a[1])
    .slice(0, LIST_MAX)
    .map(([name]) => name);
}

/** The second word of a place, or a month. */
const NO_NAME = new RegExp(
  `^(?:Street|Road|Lane|Row|Yard|Avenue|Square|Court|Approach|House|Place|Office|Department|Bank|Straße|Platz|Allee|Weg|${MONTH})$`,
  "iu",
);
