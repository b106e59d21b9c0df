/**
 * The rules read every document; a model is asked about those that they are unsure of. If it reads the same core
 * values in every trade, and no doubt of the rules is about arithmetic, the trades are confirmed. If it agrees
 * otherwise, they are booked and marked for audit; if it differs, the trade becomes a question. If the model fails,
 * the result of the rules counts, with a note that says so.
 */

import type { ExtractedTrade, Extraction } from "../../extract/answer/extraction.ts";
import { extractTrades } from "../../extract/extract-trades.ts";
import { toFault } from "../../lib/fault.ts";
import type { Reading } from "../../reading/reading.ts";
import { contentOf, EXTRACT_VERSION } from "../content/content-of-extraction.ts";
import type { DocumentContent } from "../document-content.ts";
import {
  askModel,
  type ModelOpinion,
  modelVersion,
  type SecondReaderSettings,
} from "./ask-model.ts";

export type ModelOutcome = "agreed" | "differed" | "failed";

export interface SecondReaderNeeds {
  readonly settings: SecondReaderSettings;
  readonly observe: (outcome: ModelOutcome, tokens: ModelOpinion["tokens"]) => void;
}

export function extractWithModel({ settings, observe }: SecondReaderNeeds) {
  const read = async (reading: Reading, signal?: AbortSignal): Promise<DocumentContent> => {
    const extraction = extractTrades(reading);
    const content = contentOf(extraction, reading);
    try {
      const isMissing = content.missing !== null;
      const opinion = await askModel(reading, extraction, settings, {
        isMissing,
        ...(signal && { signal }),
      });
      if (!opinion.wasAsked) return content;
      const differs = opinion.differences.length > 0 || opinion.unseen > 0;
      observe(differs ? "differed" : "agreed", opinion.tokens);
      return withOpinion(extraction, reading, opinion);
    } catch (error) {
      signal?.throwIfAborted();
      observe("failed", { prompt: 0, completion: 0 });
      const { code, message } = toFault(error);
      return { ...content, notes: [...content.notes, `second reader: ${message} (${code})`] };
    }
  };
  return Object.assign(read, { version: `${EXTRACT_VERSION}+${modelVersion(settings)}` });
}

function withOpinion(
  extraction: Extraction,
  reading: Reading,
  opinion: ModelOpinion,
): DocumentContent {
  const trades = seconded(
    extraction.trades.map((trade, index) => heard(trade, index, opinion)),
    opinion,
  );
  const content = contentOf({ ...extraction, trades }, reading);
  if (opinion.unseen === 0) return content;
  const seen = `a second reader sees ${opinion.unseen} more`;
  return {
    ...content,
    notes: [...content.notes, seen],
    missing: content.missing === null ? null : `${content.missing}; ${seen}`,
  };
}

/** All trades of a document are confirmed, or none: if one is in doubt, the others may be cut wrongly. */
function seconded(trades: ExtractedTrade[], opinion: ModelOpinion): ExtractedTrade[] {
  const isWhole =
    opinion.unseen === 0 &&
    trades.every((trade, index) => trade.canBeSeconded && isAgreed(index, opinion));
  return isWhole ? trades.map((trade) => ({ ...trade, canAutoConfirm: true })) : trades;
}

/** True if the model reads the same value in every core field. */
function isAgreed(index: number, { agreements, differences }: ModelOpinion): boolean {
  if (differences.some(({ trade }) => trade === index)) return false;
  const fields = agreements.find(({ trade }) => trade === index)?.fields ?? [];
  return CORE.every((field) => fields.includes(field));
}

/** Just below the confidence at which a trade is booked without an audit mark. */
const AGREED = 0.79;
const CORE = ["direction", "tradeDate", "isin", "quantity", "net", "currency"];

function heard(trade: ExtractedTrade, index: number, opinion: ModelOpinion): ExtractedTrade {
  const doubts = opinion.differences
    .filter((difference) => difference.trade === index)
    .map(({ field, model }) => `a second reader reads ${field} as ${model}`);
  if (doubts.length > 0) return { ...trade, doubts, canAutoConfirm: false };
  if (!isAgreed(index, opinion)) return trade;
  return {
    ...trade,
    confidence: Math.max(trade.confidence, AGREED),
    reasons: [...trade.reasons, "a second reader agrees"],
  };
}
