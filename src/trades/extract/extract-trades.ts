import type { Reading } from "../../documents/reading.ts";
import { chooseDays } from "./day.ts";
import { voteByMoney, voteByWords } from "./direction.ts";
import { findFacts } from "./facts.ts";
import { type DocLine, linesOf } from "./lines.ts";
import { findSecurity } from "./security.ts";
import { segmentsOf } from "./segments.ts";
import { solve } from "./solve.ts";
import { type Values, valuesOf } from "./values.ts";

export function rough(reading: Reading): unknown[] {
  const lines = linesOf(reading);
  const values = valuesOf(lines);
  const facts = findFacts(values.amounts);
  const segments = segmentsOf(lines, facts);
  const many: unknown[] = [];
  for (const segment of segments) {
    const trade = tradeOf(lines, values, segment.from, segment.to, true);
    if (trade) many.push(trade);
  }
  const unique = new Map(many.map((trade) => [JSON.stringify({ ...(trade as object), why: 0 }), trade]));
  if (unique.size >= 2) return [...unique.values()];
  const one = tradeOf(lines, values, 0, lines.length, false);
  return one ? [one] : [];
}

function tradeOf(lines: DocLine[], values: Values, from: number, to: number, isPart: boolean): unknown | null {
  const own = lines.slice(from, to);
  const block = { lines: own, amounts: values.amounts.filter((amount) => amount.line >= from && amount.line < to) };
  const solved = solve(block);
  const top = solved[0];
  if (!top || !top.quantity || !top.net) return null;
  const days = chooseDays(values.days, lines, from, to);
  const words = voteByWords(own, lines.length);
  const moneyVote = voteByMoney(top.net, top.charges?.side ?? 0);
  let buy = words.buy + moneyVote.buy;
  let sell = words.sell + moneyVote.sell;
  if (isPart) {
    if (top.quantity.token.isNegative) sell += 2;
    if (top.quantity.token.isPositive) buy += 2;
    if (words.buy + words.sell === 0 && !top.quantity.token.isNegative && !top.quantity.token.isPositive) return null;
  } else if (words.buy + words.sell === 0) return null;
  let security = findSecurity(own);
  if (isPart && !security.isin && !security.wkn && !security.valor && !security.cusip && !security.ticker) {
    for (let i = from - 1; i >= 0; i--) {
      const line = lines[i]!;
      if (line.codes.length > 0) {
        security = findSecurity([line]);
        break;
      }
    }
  }
  let fees = 0;
  let taxes = 0;
  for (const charge of top.charges?.charges ?? []) {
    if (charge.kind === "fee") fees += charge.value;
    if (charge.kind === "tax") taxes += charge.value;
  }
  const direction = buy >= sell ? "BUY" : "SELL";
  const net = top.net.value;
  const sign = direction === "BUY" ? -1 : 1;
  fees = Math.round(fees * 100) / 100;
  taxes = Math.round(taxes * 100) / 100;
  return {
    direction,
    date: days.trade?.iso,
    isin: security.isin?.text,
    wkn: (security.wkn ?? security.valor ?? security.cusip ?? security.sedol)?.text,
    ticker: security.ticker?.text,
    shares: top.quantity.value,
    amount: net,
    gross: Math.round((net + sign * (fees + taxes)) * 100) / 100,
    fees,
    taxes,
    currency: currencyOf(top, lines),
    why: { product: top.product, sum: top.sum, score: top.score, from, to },
  };
}

function currencyOf(top: { net: { currency: string | null } | null; gross: { currency: string | null } | null }, lines: readonly DocLine[]): string | null {
  const own = top.net?.currency ?? top.gross?.currency ?? null;
  if (own && own !== "$") return own;
  const counts = new Map<string, number>();
  for (const line of lines) for (const currency of line.currencies) if (currency.code) counts.set(currency.code, (counts.get(currency.code) ?? 0) + 1);
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  return sorted[0]?.[0] ?? (own === "$" ? "USD" : null);
}
