/**
 * Builds the answer for a candidate: its values, where they are printed, their confidence and the reasons.
 */
import type { Candidate } from "../judgement/candidate.ts";
import { certaintyOf } from "../judgement/certainty.ts";
import {
  type Confidence,
  confidenceOf,
  doubtsOf,
  failsArithmetic,
} from "../judgement/confidence.ts";
import { signedPayment, signedUnits, withSign } from "../judgement/direction-sign.ts";
import { cents } from "../judgement/find-candidate.ts";
import type { ParsedText } from "../judgement/parsed-text.ts";
import { isCompatible, isShared } from "../lexicon/currencies.ts";
import type { Amount, Day } from "../values/amount.ts";
import { countryCurrency } from "../values/country.ts";
import { CANCELLED, cancelWord } from "../values/direction.ts";
import { saysPartialDay } from "../values/partial-dates.ts";
import type { SecurityCode } from "../values/security-code.ts";
import type { ChargeLine, ExtractedTrade, FieldAnswer, FieldName, Source } from "./extraction.ts";
import { fieldConfidence } from "./field-confidence.ts";
import { findParties } from "./parties.ts";
import { saysDay, saysNumber, saysText, sourceOf } from "./provenance.ts";
import { reasonsOf } from "./reasons.ts";

/** Confidence below which a second reader's agreement is not enough: both may be misled by the same page. */
const SECONDED = 0.5;

/** `siblings` are all candidates of the document that count as trades, including this one. */
export function assemble(
  document: ParsedText,
  candidate: Candidate,
  siblings: readonly Candidate[],
): ExtractedTrade {
  const { assignment, security, days, direction } = candidate;
  const { quantity, net } = assignment;
  // A price that was computed from quantity and gross says no more than they do.
  const price = assignment.price?.isComputed ? null : assignment.price;
  const parties = findParties(document.lines, candidate.from, candidate.to);
  const certainty = certaintyOf(document, candidate, siblings);
  const believed = confidenceOf(certainty, document.weighing);
  const doubts = doubtsOf(certainty);
  const fields = fieldsOf(document, candidate, parties, believed);
  const sign = direction === "BUY" ? -1 : 1;
  const confidence = believed.trade;
  const isForeign = assignment.rate !== null && assignment.gross !== null;
  const isPence = price?.currency === "GBX";
  const cancelled = (candidate.features["cancelled"] ?? 0) >= CANCELLED;
  const block = document.lines.slice(candidate.from, candidate.to);
  const core = coreOf(fields);
  const isPrinted = core.length >= 6 && core.every((field) => fields[field]?.isGrounded);
  const reasons = reasonsOf(
    candidate,
    core.filter((field) => !fields[field]?.isGrounded),
  );
  return {
    direction,
    ...(days.trade && { tradeDate: days.trade.iso }),
    ...(days.trade?.time && { time: days.trade.time }),
    ...(days.settle && { settlementDate: days.settle.iso }),
    security: identifiers(security),
    quantity: quantity!.value,
    quantityText: decimalText(quantity!),
    isPercentQuoted: assignment.isPercent && !isPence,
    ...(price && { price: isPence ? inPounds(price.value) : price.value }),
    ...(price?.currency &&
      !isShared(price.currency) && { priceCurrency: isPence ? "GBP" : price.currency }),
    gross: cents(net!.value + sign * (candidate.fees + candidate.taxes)),
    fees: chargeLines(candidate, "fee"),
    taxes: chargeLines(candidate, "tax"),
    net: net!.value,
    ...(candidate.currency && { currency: candidate.currency }),
    fx: isForeign
      ? {
          rate: assignment.rate!.value,
          grossForeign: assignment.gross!.value,
          ...(assignment.gross!.currency && { currency: assignment.gross!.currency }),
        }
      : {},
    ...(parties.reference && { reference: parties.reference.text }),
    ...(parties.account && { accountNumber: parties.account.text }),
    ...(parties.holder && { accountHolder: parties.holder.text }),
    ...(parties.accountType && { accountType: parties.accountType }),
    ...(parties.broker && { brokerName: parties.broker.text }),
    isCancellation: cancelled,
    isReversal: cancelled && cancelWord(block, candidate.fact === null).isReversal,
    perField: fields,
    confidence,
    reasons: [...new Set([...reasons, ...doubts])],
    canAutoConfirm:
      confidence >= document.weighing.autoConfirm && doubts.length === 0 && !cancelled && isPrinted,
    canBeSeconded: confidence >= SECONDED && !failsArithmetic(certainty) && !cancelled && isPrinted,
  };
}

function identifiers(security: Candidate["security"]): ExtractedTrade["security"] {
  const out: ExtractedTrade["security"] = {};
  for (const name of ["isin", "wkn", "valor", "sedol", "cusip", "ticker", "name"] as const) {
    const found = security[name];
    if (found) out[name] = found.text;
  }
  return out;
}

function chargeLines(candidate: Candidate, kind: "fee" | "tax"): ChargeLine[] {
  const out: ChargeLine[] = [];
  for (const charge of candidate.assignment.charges?.charges ?? []) {
    if (charge.kind === kind) out.push({ label: charge.label, amount: cents(charge.value) });
  }
  return out;
}

/** Returns the digits as printed, with a point before the decimals. */
/** Exactly: 1342.81 / 100 is 13.428099999999999 in binary. */
const inPounds = (pence: number): number => Number((pence / 100).toPrecision(15));

function decimalText(amount: Amount): string {
  if (amount.isComputed) return String(amount.value);
  const digits = amount.token.raw.replace(/[^0-9]/g, "");
  if (amount.decimals === 0) return digits.replace(/^0+(?=[0-9])/, "");
  const whole = digits.slice(0, -amount.decimals).replace(/^0+(?=[0-9])/, "") || "0";
  return `${whole}.${digits.slice(-amount.decimals)}`;
}

/** The fields that a booking depends on. The security is represented by its best available identifier. */
function coreOf(fields: ExtractedTrade["perField"]): FieldName[] {
  const security = (["isin", "wkn", "valor", "cusip", "sedol", "ticker"] as const).find(
    (field) => fields[field],
  );
  const names: FieldName[] = ["direction", "tradeDate", "quantity", "net", "currency"];
  return security ? [...names, security] : names;
}

type Put = (name: FieldName, value: string, source: Source | null, isGrounded: boolean) => void;

function fieldsOf(
  document: ParsedText,
  candidate: Candidate,
  parties: ReturnType<typeof findParties>,
  believed: Confidence,
): ExtractedTrade["perField"] {
  const { lines } = document;
  const { assignment, security, days } = candidate;
  const out: ExtractedTrade["perField"] = {};
  const put: Put = (name, value, source, isGrounded) => {
    out[name] = {
      value,
      confidence: fieldConfidence(believed, name),
      source,
      isGrounded,
    } satisfies FieldAnswer;
  };
  const putAmount = (name: FieldName, amount: Amount | null, value = amount?.value) => {
    if (!amount || amount.isComputed || value === undefined) return;
    const source = sourceOf(lines[amount.line]!, amount.token);
    put(name, String(value), source, saysNumber(source, value));
  };
  const putDay = (name: FieldName, day: Day | null) => {
    if (!day) return;
    const source = sourceOf(lines[day.line]!, day);
    const isSaid = saysDay(source, day.iso) || saysPartialDay(source.text, day.iso, lines);
    put(name, day.iso, source, isSaid);
  };
  const putText = (name: FieldName, found: SecurityCode | null) => {
    if (!found) return;
    const source = sourceOf(lines[found.line]!, found);
    put(name, found.text, source, saysText(source, found.text));
  };
  putDirection(document, candidate, put);
  putDay("tradeDate", days.trade);
  putDay("settlementDate", days.settle);
  for (const name of ["isin", "wkn", "valor", "sedol", "cusip", "ticker", "name"] as const)
    putText(name, security[name]);
  putAmount("quantity", assignment.quantity);
  putAmount("price", assignment.price);
  putAmount("net", assignment.net);
  putAmount("fxRate", assignment.rate);
  if (assignment.rate) putAmount("grossForeign", assignment.gross);
  else putAmount("gross", assignment.gross);
  putCurrency(document, candidate, put);
  putText("reference", parties.reference);
  putText("accountNumber", parties.account);
  putText("accountHolder", parties.holder);
  putText("brokerName", parties.broker);
  return out;
}

/** Takes the word that names the direction or, if there is none, the sign that shows it. */
function putDirection(document: ParsedText, candidate: Candidate, put: Put): void {
  const { words, direction } = candidate;
  const signed = signedUnits(candidate);
  if (signed) {
    const line = document.lines[signed.line]!;
    put("direction", direction, sourceOf(line, withSign(line, signed.token)), true);
    return;
  }
  const paid = signedPayment(document, candidate);
  if (paid) {
    const line = document.lines[paid.line]!;
    put("direction", direction, sourceOf(line, withSign(line, paid.token)), true);
    return;
  }
  const line = words.line === null ? null : document.lines[words.line]!;
  const spoken = words.buy === words.sell ? null : words.buy > words.sell ? "BUY" : "SELL";
  put("direction", direction, line && sourceOf(line, words), line !== null && spoken === direction);
}

/**
 * Takes the currency beside the net or, if there is none, the first place that prints it. A dollar sign beside the net
 * is such a place if the words of the page point to that country.
 */
function putCurrency(document: ParsedText, candidate: Candidate, put: Put): void {
  const { currency } = candidate;
  if (!currency) return;
  const home = document.lines[candidate.assignment.net!.line]!;
  for (const line of [home, ...document.lines]) {
    const token = line.currencies.find(
      (found) => found.code === currency || (currency === "GBP" && found.code === "GBX"),
    );
    if (token) {
      put("currency", currency, sourceOf(line, token), true);
      return;
    }
  }
  const sign = home.currencies.find(({ code }) => code === "");
  if (sign && isCompatible("$", currency) && countryCurrency(document.lines) === currency) {
    put("currency", currency, sourceOf(home, sign), true);
    return;
  }
  put("currency", currency, null, false);
}
