import { loadDriver } from "../lib/load-driver.ts";

/** Languages for which PostgreSQL knows word stems and stop words, by their ISO 639-3 codes. */
const CONFIGURATIONS: Readonly<Record<string, string>> = {
  eng: "english",
  deu: "german",
  fra: "french",
  spa: "spanish",
  ita: "italian",
  nld: "dutch",
  por: "portuguese",
  swe: "swedish",
};
/** Other languages are indexed by whole words. */
const OTHER = "simple";
const SAMPLE = 4_000;
const LENGTH_MIN = 40;

/** The name of a text search configuration; `simple` if the language is unclear or has none. */
export async function languageOf(text: string): Promise<string> {
  const sample = text.slice(0, SAMPLE);
  if (sample.length < LENGTH_MIN) return OTHER;
  const { francAll } = await loadDriver(
    "the index of documents",
    ["franc-min"],
    () => import("franc-min"),
  );
  const [best] = francAll(sample, { only: Object.keys(CONFIGURATIONS) });
  return CONFIGURATIONS[best?.[0] ?? ""] ?? OTHER;
}
