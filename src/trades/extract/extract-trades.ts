import type { Reading } from "../../documents/reading.ts";
import { chooseDays } from "./day.ts";
import { voteByMoney, voteByWords } from "./direction.ts";
import { type DocLine, linesOf } from "./lines.ts";
import { findSecurity } from "./security.ts";
import { solve } from "./solve.ts";
import { valuesOf } from "./values.ts";

export function rough(reading: Reading): unknown[] {
  const lines = linesOf(reading);
  const values = valuesOf(lines);
  const block = { lines, amounts: values.amounts };
  const solved = solve(block);
  const top = solved[0];
  if (!top || !top.quantity || !top.net) return [];
  const days = chooseDays(values.days, lines, 0, lines.length);
  const words = voteByWords(lines, lines.length);
  const moneyVote = voteByMoney(top.net, top.charges?.side ?? 0);
  const buy = words.buy + moneyVote.buy;
  const sell = words.sell + moneyVote.sell;
  if (words.buy + words.sell === 0) return [];
  const security = findSecurity(lines);
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
  return [
    {
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
      why: { product: top.product, sum: top.sum, score: top.score },
    },
  ];
}

function currencyOf(top: { net: { currency: string | null } | null; gross: { currency: string | null } | null }, lines: readonly DocLine[]): string | null {
  const own = top.net?.currency ?? top.gross?.currency ?? null;
  if (own && own !== "$") return own;
  const counts = new Map<string, number>();
  for (const line of lines) for (const currency of line.currencies) if (currency.code) counts.set(currency.code, (counts.get(currency.code) ?? 0) + 1);
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  return sorted[0]?.[0] ?? (own === "$" ? "USD" : null);
}
