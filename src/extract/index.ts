/**
 * The extractor as a library, without a server or a database:
 *
 *     const { trades } = extractTrades(readingOfText("Wertpapierabrechnung Kauf …"));
 */
export type {
  DocumentType,
  ExtractedTrade,
  Extraction,
  FieldAnswer,
  FieldName,
  Security,
  Source,
} from "./answer/extraction.ts";
export { extractTrades, readingOfText } from "./extract-trades.ts";
export { addLanguage, type LanguageWords } from "./lexicon/index.ts";
export type { Concept } from "./lexicon/labels.ts";
