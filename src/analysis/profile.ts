/** A profile as a model answers it. Names, dates and amounts that do not occur in the document are dropped. */
import * as z from "zod";
import { Fault } from "../lib/fault.ts";
import { createWordFinder } from "./answer.ts";
import type { Profile } from "./extractive-profile.ts";
import { strayFigure } from "./figures.ts";
import { toPlainText } from "./plain-text.ts";

const LIST_MAX = 20;
const list = z.array(z.string().max(200)).max(200);

const Answer = z.strictObject({
  summary: z.string().min(1).max(6_000),
  tldr: z.string().min(1).max(1_000),
  keywords: list,
  kind: z.string().max(100),
  parties: list,
  people: list,
  dates: list,
  amounts: list,
  references: list,
});

const texts = { type: "array", items: { type: "string" } } as const;

export const PROFILE_SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: Object.keys(Answer.shape),
  properties: {
    summary: { type: "string", description: "at most five sentences" },
    tldr: { type: "string", description: "one sentence" },
    keywords: texts,
    kind: { type: "string", description: "such as Contract, Invoice, Email, Report, Letter" },
    parties: { ...texts, description: "organisations, exactly as they stand in the document" },
    people: { ...texts, description: "people, exactly as they stand in the document" },
    dates: { ...texts, description: "exactly as they stand in the document" },
    amounts: { ...texts, description: "with currency, exactly as they stand in the document" },
    references: { ...texts, description: "numbers of contracts, invoices and cases" },
  },
} as const;

export function readProfile(content: string, source: string): Profile {
  const parsed = Answer.safeParse(parseJson(content));
  if (!parsed.success)
    throw new Fault("model.bad-answer", "the model's profile does not have the agreed format");
  const { summary, tldr, kind, keywords, ...found } = parsed.data;
  if (strayFigure(`${summary}\n${tldr}`, [source]) !== null)
    throw new Fault("model.bad-answer", "the model's profile has a figure that the document lacks");
  const find = createWordFinder(source);
  const inSource = (names: readonly string[]) => {
    const words = names.flatMap((name) => find(name) ?? []);
    return [...new Set(words.map(toPlainText))].slice(0, LIST_MAX);
  };
  return {
    summary: toPlainText(summary),
    tldr: toPlainText(tldr),
    kind: toPlainText(kind),
    keywords: keywords.slice(0, LIST_MAX).map(toPlainText),
    parties: inSource(found.parties),
    people: inSource(found.people),
    dates: inSource(found.dates),
    amounts: inSource(found.amounts),
    references: inSource(found.references),
  };
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null; // truncated or not JSON: refused by the schema
  }
}
