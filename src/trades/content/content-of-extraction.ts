/** Turns what the extractor found into trade lines that can be routed. */

import type {
  ChargeLine,
  ExtractedTrade,
  Extraction,
  FieldName,
} from "../../extract/answer/extraction.ts";
import { isMeasured } from "../../extract/answer/field-confidence.ts";
import { documentOf, extractTrades } from "../../extract/extract-trades.ts";
import { isIsin } from "../../extract/text/identifiers.ts";
import type { Reading } from "../../reading/reading.ts";
import { type DocumentContent, kindOfDocument, type ReadTradeLine } from "../document-content.ts";
import { canonicalCode } from "../fingerprint.ts";
import { NO_FACTS, type TradeFacts } from "../trade.ts";
import { isAmendment } from "./is-amendment.ts";

/**
 * Raise this when the same document may give different trade lines: unfinished documents are then read again.
 */
export const EXTRACT_VERSION = "6";

export const extractContent = Object.assign(
  (reading: Reading): DocumentContent => contentOf(extractTrades(reading), reading),
  { version: EXTRACT_VERSION },
);

export function contentOf(extraction: Extraction, reading: Reading): DocumentContent {
  const pairs = extraction.trades.filter(isCurrencyPair);
  const trades = extraction.trades.filter((trade) => !isCurrencyPair(trade));
  const lines = trades.map((trade) => toTradeLine(trade, reading));
  return {
    documentType: extraction.documentType,
    kind: kindOfDocument(extraction.documentType),
    lines: lines.length === 1 && isAmendment(reading) ? lines.map(asAmendment) : lines,
    mentions: mentionsIn(reading.text),
    notes: [
      extraction.documentTypeReason,
      ...pairs.map(
        (pair) => `left out: a currency exchange (${pair.security.ticker ?? pair.security.name})`,
      ),
    ],
    missing: extraction.trades.length === 0 ? missingIn(extraction, reading) : null,
  };
}

function toTradeLine(trade: ExtractedTrade, reading: Reading): ReadTradeLine {
  const ungrounded = CORE_FIELDS.filter((name) => trade.perField[name]?.isGrounded === false);
  return {
    facts: inPounds(toFacts(trade), trade, reading),
    confidence: trade.confidence,
    isSure: trade.canAutoConfirm,
    doubts: [
      ...ungrounded.map((name) => `${name} is not printed where it was read`),
      ...(trade.doubts ?? []),
    ],
    evidence: evidenceOf(trade),
  };
}

/** A confidence is null if it was never measured: people would mistake a constant for a doubt. */
function evidenceOf({ perField }: ExtractedTrade): object {
  return Object.fromEntries(
    Object.entries(perField).map(([name, field]) => [
      name,
      isMeasured(name as FieldName) ? field : { ...field, confidence: null },
    ]),
  );
}

/** A cancellation is not an amendment; every other line of an amended document replaces a known trade. */
function asAmendment(line: ReadTradeLine): ReadTradeLine {
  return { ...line, facts: { ...line.facts, isAmendment: !line.facts.isCancelled } };
}

const CORE_FIELDS = ["direction", "tradeDate", "quantity", "net", "currency", "isin"] as const;

function toFacts(trade: ExtractedTrade): TradeFacts {
  const { security, fx } = trade;
  const foreign = fx.grossForeign ?? null;
  return {
    ...NO_FACTS,
    direction: trade.direction,
    tradeDate: trade.tradeDate ?? null,
    tradeTime: trade.time ?? null,
    settlementDate: trade.settlementDate ?? null,
    name: security.name ?? null,
    isin: security.isin ?? null,
    sedol: security.sedol ?? null,
    cusip: security.cusip ?? null,
    wkn: security.wkn ?? null,
    valor: security.valor ?? null,
    ticker: security.ticker ?? null,
    quantity: trade.quantity,
    price: trade.price ?? null,
    priceCurrency: trade.priceCurrency ?? null,
    isPercentQuoted: trade.isPercentQuoted,
    gross: trade.gross,
    fees: sumOf(trade.fees),
    taxes: sumOf(trade.taxes),
    net: trade.net,
    currency: trade.currency ?? null,
    forexGross: foreign,
    fxRate: fx.rate ?? null,
    reference: trade.reference ?? null,
    account: trade.accountNumber ?? null,
    broker: trade.brokerName ?? null,
    holder: trade.accountHolder ?? null,
    accountType: trade.accountType ?? null,
    isCancelled: trade.isCancellation || trade.isReversal,
  };
}

/**
 * Quantity × price ÷ 100 = gross holds for a bond in per cent and for a share in pence. The letters after the price
 * decide which it is.
 */
function inPounds(facts: TradeFacts, trade: ExtractedTrade, reading: Reading): TradeFacts {
  const source = trade.perField.price?.source ?? null;
  if (!facts.isPercentQuoted || facts.price === null || source === null) return facts;
  const line = reading.pages[source.page - 1]?.lines[source.span.line]?.text ?? "";
  if (!PENCE.test(line.slice(source.span.end, source.span.end + 8))) return facts;
  return {
    ...facts,
    price: toPounds(facts.price),
    priceCurrency: "GBP",
    isPercentQuoted: false,
  };
}

/** Rounded to a millionth of a penny, because a division by 100 alone leaves binary remainders. */
const toPounds = (pence: number) => Math.round(pence * 1e6) / 1e8;

const PENCE = /^\s?(p|pence|GBX|GBp)\b/;

const sumOf = (charges: readonly ChargeLine[]) =>
  Math.round(charges.reduce((sum, charge) => sum + charge.amount, 0) * 100) / 100;

const PAIR = /^([A-Z]{3})[./ ]([A-Z]{3})$/;

/** `USD.SGD` and `EUR/USD` exchange money for money: no security is traded. */
function isCurrencyPair({ security }: ExtractedTrade): boolean {
  if (security.isin !== undefined) return false;
  return [security.ticker, security.name].some(
    (text) => text !== undefined && PAIR.test(text.trim()),
  );
}

const CODE = /[\p{L}\p{N}][\p{L}\p{N}/.-]{4,39}/gu;
const MENTIONS_MAX = 400;

/** Every code in the document that could be the reference of another trade. */
function mentionsIn(text: string): string[] {
  const codes = new Set<string>();
  for (const [code] of text.matchAll(CODE)) {
    const plain = canonicalCode(code);
    if (plain.length >= 5 && /\d{3}/.test(plain)) codes.add(plain);
    if (codes.size >= MENTIONS_MAX) break;
  }
  return [...codes];
}

/** Total weight of words like bought or sold from which a document counts as being about trades. */
const TRADING_WORDS_WEIGHT_MIN = 0.1;

/**
 * Finds documents that we may have misread, so that a person looks at them: a contract note without a trade, or a
 * document of unknown type that names a security and mentions buying or selling. A statement without trades is
 * normal.
 */
function missingIn(extraction: Extraction, reading: Reading): string | null {
  if (extraction.isNearTrade)
    return "figures add up like a trade, but little else says that it is one";
  if (extraction.documentType === "contract-note") return "no trade was found in a contract note";
  if (extraction.documentType !== "other") return null;
  const codes = reading.text.match(/\b[A-Z]{2}[A-Z0-9]{9}\d\b/g) ?? [];
  if (!codes.some(isIsin)) return null;
  const { buy, sell } = documentOf(reading).words;
  return buy + sell > TRADING_WORDS_WEIGHT_MIN
    ? "it mentions buying or selling, but no trade was found"
    : null;
}
