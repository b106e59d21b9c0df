/** Whether the facts fit each other, computed on every keystroke. */
import type { Facts } from "../../data/reviews.ts";
import { formatNumber } from "../../design/format.ts";
import { hasCheckDigit } from "./fields.ts";

export interface Check {
  readonly key: string;
  readonly isHolding: boolean;
  readonly text: string;
  readonly fields: readonly string[];
}

const numberOf = (facts: Facts, key: string): number | null =>
  typeof facts[key] === "number" ? facts[key] : null;

/** Banks round each amount on its own: sums may differ by two cents, large ones by a twentieth of a per cent. */
const SLACK = 0.02;
const SLACK_SHARE = 0.0005;

const fits = (computed: number, printed: number): boolean =>
  Math.abs(computed - printed) <= Math.max(SLACK, Math.abs(printed) * SLACK_SHARE);

const cents = (value: number): string => formatNumber(Math.round(value * 100) / 100, 2);

export function runChecks(facts: Facts): Check[] {
  return [grossCheck(facts), netCheck(facts), isinCheck(facts), dayCheck(facts)].filter(
    (check) => check !== null,
  );
}

/** Quantity × price, in the account's currency where a rate is printed. */
export function grossFrom(facts: Facts): number | null {
  const [quantity, price] = [numberOf(facts, "quantity"), numberOf(facts, "price")];
  if (quantity === null || price === null) return null;
  return (quantity * price) / (facts["isPercentQuoted"] === true ? 100 : 1);
}

function grossCheck(facts: Facts): Check | null {
  const product = grossFrom(facts);
  const printed = numberOf(facts, "forexGross") ?? numberOf(facts, "gross");
  if (product === null || printed === null) return null;
  const isHolding = fits(product, printed);
  const sum = `${formatNumber(Number(facts["quantity"]))} × ${formatNumber(Number(facts["price"]))}${facts["isPercentQuoted"] === true ? " %" : ""} = ${cents(product)}`;
  return {
    key: "gross",
    isHolding,
    text: isHolding ? sum : `${sum}, but gross is ${cents(printed)}`,
    fields: ["quantity", "price", "gross"],
  };
}

export function netFrom(facts: Facts): number | null {
  const gross = numberOf(facts, "gross");
  if (gross === null || (facts["direction"] !== "BUY" && facts["direction"] !== "SELL"))
    return null;
  const charges = (numberOf(facts, "fees") ?? 0) + (numberOf(facts, "taxes") ?? 0);
  return facts["direction"] === "BUY" ? gross + charges : gross - charges;
}

function netCheck(facts: Facts): Check | null {
  const [computed, net] = [netFrom(facts), numberOf(facts, "net")];
  if (computed === null || net === null) return null;
  const sign = facts["direction"] === "BUY" ? "+" : "−";
  const charges = ["fees", "taxes"]
    .map((key) => numberOf(facts, key) ?? 0)
    .filter((value) => value > 0)
    .map((value) => ` ${sign} ${cents(value)}`)
    .join("");
  const isHolding = fits(computed, net);
  const sum = `${cents(numberOf(facts, "gross")!)}${charges} = ${cents(computed)}`;
  return {
    key: "net",
    isHolding,
    text: isHolding ? sum : `${sum}, but net is ${cents(net)}`,
    fields: ["gross", "fees", "taxes", "net"],
  };
}

function isinCheck(facts: Facts): Check | null {
  const isin = facts["isin"];
  if (typeof isin !== "string" || hasCheckDigit(isin)) return null;
  return {
    key: "isin",
    isHolding: false,
    text: "The check digit of the ISIN is wrong.",
    fields: ["isin"],
  };
}

function dayCheck(facts: Facts): Check | null {
  const { tradeDate, settlementDate } = facts;
  if (typeof tradeDate !== "string" || typeof settlementDate !== "string") return null;
  if (settlementDate >= tradeDate) return null;
  return {
    key: "days",
    isHolding: false,
    text: "The settlement date is before the trade date.",
    fields: ["tradeDate", "settlementDate"],
  };
}

export interface Rival {
  readonly value: string | number;
  readonly why: string;
}

const round = (value: number, digits: number): number =>
  Math.round(value * 10 ** digits) / 10 ** digits;

/** Other values that a field may have: as it was read, and as the other amounts suggest. */
export function rivalsOf(key: string, read: Facts, facts: Facts): Rival[] {
  const amount = (name: string) => numberOf(facts, name);
  const factor = facts["isPercentQuoted"] === true ? 100 : 1;
  const [quantity, price, gross] = [amount("quantity"), amount("price"), amount("gross")];
  const computed: Rival[] = [];
  const add = (result: number | null, why: string) => {
    if (result !== null && Number.isFinite(result) && result > 0)
      computed.push({ value: result, why: `${why}, not printed` });
  };
  if (key === "price" && quantity && gross)
    add(round((gross / quantity) * factor, 6), "gross ÷ quantity");
  if (key === "quantity" && price && gross)
    add(round((gross / price) * factor, 4), "gross ÷ price");
  if (key === "gross") add(orNull(grossFrom(facts), 2), "quantity × price");
  if (key === "net") add(orNull(netFrom(facts), 2), "gross and charges");
  if (key === "direction")
    computed.push({
      value: facts["direction"] === "BUY" ? "SELL" : "BUY",
      why: "the other way round",
    });
  const asRead = read[key];
  const first: Rival[] =
    asRead === null || asRead === undefined || typeof asRead === "boolean"
      ? []
      : [{ value: asRead, why: "as read" }];
  return [...first, ...computed].filter(
    (rival, index, all) => all.findIndex((other) => other.value === rival.value) === index,
  );
}

const orNull = (value: number | null, digits: number) =>
  value === null ? null : round(value, digits);
