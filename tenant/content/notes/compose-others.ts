/** Pages that look like a broker's but contain no trade. They use the security of an invented trade. */
import type { Random } from "../../random.ts";
import type { Block } from "./blocks.ts";
import { addWorkingDays, writeNumber } from "./locale.ts";
import { type InventedTrade, round2 } from "./trade.ts";
import { plainMoney, type Writer, writeDay } from "./writer.ts";

export function composeDividend(writer: Writer, random: Random, trade: InventedTrade): Block[] {
  const { labels } = writer;
  const { truth } = trade;
  const quantity = 10 + random.below(900);
  const perShare = round2(0.2 + random.next() * 4);
  const gross = round2(quantity * perShare);
  const tax = round2(gross * random.pick([0.15, 0.25, 0.26375, 0.3]));
  const currency = truth.currency;
  return [
    {
      kind: "facts",
      facts: [
        { label: labels.account, value: [truth.account] },
        { label: labels.security, value: [truth.name] },
        { label: "ISIN", value: [truth.isin] },
        { label: labels.quantity, value: [`${quantity} ${labels.units}`] },
        { label: labels.dividendPerShare, value: plainMoney(writer, perShare, currency) },
        { label: labels.exDate, value: [writeDay(writer, truth.tradeDate)] },
        {
          label: labels.paymentDate,
          value: [writeDay(writer, addWorkingDays(truth.tradeDate, 3))],
        },
      ],
    },
    {
      kind: "sums",
      sums: [
        { label: labels.amount, value: plainMoney(writer, gross, currency) },
        { label: labels.withholdingTax, value: plainMoney(writer, tax, currency) },
        {
          label: labels.netCredit,
          value: plainMoney(writer, round2(gross - tax), currency),
          isTotal: true,
        },
      ],
    },
  ];
}

export function composeTax(writer: Writer, random: Random, trade: InventedTrade): Block[] {
  const { labels } = writer;
  const currency = trade.truth.currency;
  const gain = round2(100 + random.next() * 9000);
  const allowance = round2(gain * 0.3);
  return [
    {
      kind: "facts",
      facts: [
        { label: labels.account, value: [trade.truth.account] },
        { label: labels.date, value: [writeDay(writer, trade.truth.tradeDate)] },
        { label: labels.security, value: [trade.truth.name] },
        { label: "ISIN", value: [trade.truth.isin] },
      ],
    },
    {
      kind: "sums",
      sums: [
        { label: labels.taxableGain, value: plainMoney(writer, gain, currency) },
        { label: labels.taxAllowance, value: plainMoney(writer, allowance, currency) },
        {
          label: labels.capitalGainsTax,
          value: plainMoney(writer, round2((gain - allowance) * 0.25), currency),
          isTotal: true,
        },
      ],
    },
  ];
}

export function composeAccountStatement(
  writer: Writer,
  random: Random,
  trade: InventedTrade,
): Block[] {
  const { labels } = writer;
  const currency = trade.truth.currency;
  let balance = round2(500 + random.next() * 9000);
  let day = trade.truth.tradeDate;
  const opening = balance;
  const rows = Array.from({ length: 6 + random.below(12) }, () => {
    const amount = round2((random.next() - 0.5) * 1800);
    balance = round2(balance + amount);
    day = addWorkingDays(day, 1 + random.below(2));
    const text = random.pick(labels.cashLines.split("|"));
    return [
      [writeDay(writer, day)],
      [text],
      [writeNumber(amount, writer.numbers, 2)],
      [writeNumber(balance, writer.numbers, 2)],
    ];
  });
  return [
    {
      kind: "facts",
      facts: [
        { label: labels.account, value: [trade.truth.account] },
        { label: labels.openingBalance, value: plainMoney(writer, opening, currency) },
      ],
    },
    {
      kind: "table",
      columns: [
        { label: labels.date, align: "left", share: 2 },
        { label: labels.booking, align: "left", share: 5 },
        { label: labels.amount, align: "right", share: 2 },
        { label: labels.closingBalance, align: "right", share: 3 },
      ],
      rows,
    },
    {
      kind: "sums",
      sums: [
        {
          label: labels.closingBalance,
          value: plainMoney(writer, balance, currency),
          isTotal: true,
        },
      ],
    },
  ];
}

export function composeNewsletter(writer: Writer, random: Random): Block[] {
  const { labels } = writer;
  const level = () => writeNumber(round2(900 + random.next() * 30_000), writer.numbers, 2);
  return [
    { kind: "paragraph", text: [labels.greeting] },
    { kind: "paragraph", text: [labels.newsletterText] },
    {
      kind: "table",
      columns: [
        { label: labels.venue, align: "left", share: 3 },
        { label: labels.closingPrice, align: "right", share: 2 },
      ],
      rows: [
        [["Quay 40"], [level()]],
        [["Nordhafen 25"], [level()]],
        [["Lantern Composite"], [level()]],
      ],
    },
    { kind: "paragraph", text: [labels.newsletterText] },
  ];
}
