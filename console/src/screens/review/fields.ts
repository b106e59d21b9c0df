/** The fields of a question: their names, their names in the evidence, and how they are typed and checked. */
import type { Facts, FieldEvidence, TradeLine } from "../../data/reviews.ts";
import { formatDay, formatNumber } from "../../design/format.ts";

export type FieldKind = "text" | "number" | "day" | "direction" | "currency";

export interface FieldSpec {
  readonly key: string;
  readonly label: string;
  readonly group: "Trade" | "Security" | "Dates" | "Amounts" | "Reference and person";
  readonly kind: FieldKind;
  /** Without it there is no trade. */
  readonly isCore?: boolean;
  /** Its name in the evidence, where that differs. */
  readonly evidence?: string;
}

export const FIELDS: readonly FieldSpec[] = [
  { key: "direction", label: "Direction", group: "Trade", kind: "direction", isCore: true },
  { key: "quantity", label: "Quantity", group: "Trade", kind: "number", isCore: true },
  { key: "price", label: "Price", group: "Trade", kind: "number" },
  { key: "priceCurrency", label: "Price in", group: "Trade", kind: "currency" },
  { key: "name", label: "Name", group: "Security", kind: "text" },
  { key: "isin", label: "ISIN", group: "Security", kind: "text" },
  { key: "tradeDate", label: "Trade date", group: "Dates", kind: "day", isCore: true },
  { key: "settlementDate", label: "Settlement", group: "Dates", kind: "day" },
  { key: "gross", label: "Gross", group: "Amounts", kind: "number" },
  { key: "fees", label: "Fees", group: "Amounts", kind: "number" },
  { key: "taxes", label: "Taxes", group: "Amounts", kind: "number" },
  { key: "net", label: "Net", group: "Amounts", kind: "number" },
  { key: "currency", label: "Currency", group: "Amounts", kind: "currency" },
  { key: "reference", label: "Reference", group: "Reference and person", kind: "text" },
  {
    key: "account",
    label: "Account",
    group: "Reference and person",
    kind: "text",
    evidence: "accountNumber",
  },
  {
    key: "broker",
    label: "Broker",
    group: "Reference and person",
    kind: "text",
    evidence: "brokerName",
  },
  {
    key: "holder",
    label: "Holder",
    group: "Reference and person",
    kind: "text",
    evidence: "accountHolder",
  },
];

export function evidenceOf(line: TradeLine | null, spec: FieldSpec): FieldEvidence | null {
  return line?.evidence[spec.evidence ?? spec.key] ?? line?.evidence[spec.key] ?? null;
}

/** A sum with one digit after the point looks like a mistake. */
const AMOUNT_DECIMALS = 2;

export function showValue(spec: FieldSpec, value: Facts[string] | undefined): string {
  if (value === null || value === undefined || value === "") return "–";
  if (spec.kind === "number")
    return formatNumber(Number(value), spec.group === "Amounts" ? AMOUNT_DECIMALS : 0);
  if (spec.kind === "day") return formatDay(String(value));
  if (spec.kind === "direction") return value === "BUY" ? "Buy" : "Sell";
  return String(value);
}

/** The text in the input when somebody begins to type. */
export const toInput = (value: Facts[string] | undefined): string =>
  value === null || value === undefined ? "" : String(value);

export type Understood =
  | { readonly isValid: true; readonly value: Facts[string] }
  | { readonly isValid: false; readonly why: string };

const TEXT_LENGTH_MAX = 300;

export function understand(spec: FieldSpec, text: string): Understood {
  const typed = text.trim();
  if (typed === "")
    return spec.isCore
      ? { isValid: false, why: `${spec.label} is needed.` }
      : { isValid: true, value: null };
  if (spec.kind === "number") return understandNumber(spec, typed);
  if (spec.kind === "day") return understandDay(typed);
  if (spec.kind === "currency")
    return /^[a-z]{3}$/i.test(typed)
      ? { isValid: true, value: typed.toUpperCase() }
      : { isValid: false, why: "A currency has three letters." };
  if (spec.kind === "direction") {
    if (/^b/i.test(typed)) return { isValid: true, value: "BUY" };
    if (/^s/i.test(typed)) return { isValid: true, value: "SELL" };
    return { isValid: false, why: "Type buy or sell." };
  }
  if (spec.key === "isin" && !hasCheckDigit(typed.toUpperCase()))
    return { isValid: false, why: "The check digit of the ISIN is wrong." };
  return {
    isValid: true,
    value: spec.key === "isin" ? typed.toUpperCase() : typed.slice(0, TEXT_LENGTH_MAX),
  };
}

/** The last separator is the decimal one, unless three digits follow a single comma or point used for thousands. */
function understandNumber(spec: FieldSpec, typed: string): Understood {
  const plain = typed.replace(/[\s'’]/g, "");
  const last = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","));
  const whole = last === -1 ? plain : plain.slice(0, last);
  const rest = last === -1 ? "" : plain.slice(last + 1);
  const isGrouping =
    last !== -1 && plain[last] === "," && /^\d{3}$/.test(rest) && !plain.includes(".");
  const text = isGrouping
    ? plain.replaceAll(",", "")
    : `${whole.replace(/[.,]/g, "")}${rest === "" ? "" : `.${rest}`}`;
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || !Number.isFinite(value))
    return { isValid: false, why: "This is not a number." };
  if (spec.key === "quantity" && value <= 0)
    return { isValid: false, why: "The quantity must be above zero." };
  return { isValid: true, value };
}

function understandDay(typed: string): Understood {
  const iso = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(typed);
  const european = /^(\d\d?)[./](\d\d?)[./](\d{4})$/.exec(typed);
  const [year, month, day] = iso ? iso.slice(1) : european ? european.slice(1).reverse() : [];
  const text = `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`;
  const date = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text)
    return { isValid: false, why: "Type a day as 2026-11-12 or 12.11.2026." };
  return { isValid: true, value: text };
}

/** Luhn over the digits, with letters as numbers. */
export function hasCheckDigit(isin: string): boolean {
  if (!/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(isin)) return false;
  const digits = [...isin].map((char) => Number.parseInt(char, 36)).join("");
  const sum = [...digits].reverse().reduce((total, char, index) => {
    const doubled = Number(char) * (index % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
