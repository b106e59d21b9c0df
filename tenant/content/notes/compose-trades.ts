import type { Random } from "../../random.ts";
import type { Block, Cell, Column, Fact, Sum } from "./blocks.ts";
import { writeNumber } from "./locale.ts";
import { type InventedTrade, round2 } from "./trade.ts";
import { plainMoney, tradeCells, type Writer, writeDay } from "./writer.ts";

/** A note of one trade, or of several that share a page. */
export function composeTrade(
  writer: Writer,
  random: Random,
  trade: InventedTrade,
  index: number,
): Block[] {
  const cells = tradeCells(writer, trade, index);
  const { labels, skin } = writer;
  const blocks: Block[] = [];
  if (skin.hasSentence) blocks.push({ kind: "paragraph", text: sentence(writer, trade, cells) });
  if (skin.tradeAsTable) blocks.push(tradeTable(writer, trade, cells));
  blocks.push({ kind: "facts", facts: factsOf(writer, random, trade, cells) });
  blocks.push({ kind: "sums", sums: sumsOf(writer, trade, cells) });
  // The account balance after the booking is printed as a misleading amount beside the trade's own.
  if (writer.traps.includes("balance")) {
    const balance = plainMoney(writer, round2(trade.truth.net * 3.7 + 120), trade.truth.currency);
    blocks.push({ kind: "sums", sums: [{ label: labels.closingBalance, value: balance }] });
  }
  if (index === 0 && random.chance(0.3)) {
    blocks.push({
      kind: "paragraph",
      text: [`${labels.client}: ${random.pick(["0417", "2290", "8861"])}`],
      isSmall: true,
    });
  }
  return blocks;
}

type Cells = ReturnType<typeof tradeCells>;

function sentence(writer: Writer, trade: InventedTrade, cells: Cells): Cell {
  const { labels } = writer;
  const template = trade.truth.direction === "BUY" ? labels.sentenceBuy : labels.sentenceSell;
  const values: Record<string, Cell> = {
    "{quantity}": cells.quantity,
    "{name}": cells.name,
    "{price}": cells.price,
    "{date}": cells.tradeDate,
  };
  return template.split(/(\{\w+\})/u).flatMap((part) => values[part] ?? [part]);
}

function tradeTable(writer: Writer, trade: InventedTrade, cells: Cells): Block {
  const { labels } = writer;
  const quantityLabel = trade.truth.isPercentQuoted ? labels.nominal : labels.quantity;
  const columns: Column[] = [
    { label: labels.security, align: "left", share: 4 },
    { label: quantityLabel, align: "right", share: 2 },
    { label: labels.price, align: "right", share: 2 },
    { label: labels.amount, align: "right", share: 2 },
  ];
  const value = plainMoney(writer, trade.marketValue, securityCurrency(trade));
  const row = [cells.name, cells.quantity, cells.price, value];
  if (writer.traps.includes("closing-price")) {
    columns.splice(2, 0, closingColumn(writer));
    row.splice(2, 0, closingCell(writer, trade));
  }
  return { kind: "table", columns, rows: [row] };
}

/** A price at which nobody traded: a reader must not take it for the price of the trade. */
function closingColumn(writer: Writer): Column {
  return { label: writer.labels.closingPrice, align: "right", share: 2 };
}

function closingCell(writer: Writer, trade: InventedTrade): Cell {
  return [writeNumber(trade.closingPrice, writer.numbers, trade.pricePlaces)];
}

function factsOf(writer: Writer, random: Random, trade: InventedTrade, cells: Cells): Fact[] {
  const { labels, skin } = writer;
  const facts: Fact[] = [
    { label: labels.account, value: cells.account },
    { label: labels.noteNumber, value: cells.reference },
    { label: labels.direction, value: cells.direction },
  ];
  if (!skin.tradeAsTable) {
    facts.push(
      { label: labels.security, value: cells.name },
      {
        label: trade.truth.isPercentQuoted ? labels.nominal : labels.quantity,
        value: cells.quantity,
      },
      { label: labels.price, value: cells.price },
    );
  }
  facts.push(
    { label: "ISIN", value: cells.isin },
    {
      label: labels.tradeDate,
      value: random.chance(0.5) ? [...cells.tradeDate, "  ", ...cells.time] : cells.tradeDate,
    },
    { label: labels.settlementDate, value: cells.settlementDate },
    { label: labels.venue, value: [trade.venue] },
  );
  if (trade.truth.localId !== null) {
    facts.splice(-3, 0, { label: skin.localIdLabel, value: cells.localId });
  }
  if (random.chance(0.5)) facts.push({ label: labels.orderNumber, value: [trade.orderNumber] });
  const isTrap = writer.traps.includes("closing-price") && !skin.tradeAsTable;
  if (isTrap || random.chance(0.2)) {
    facts.push({ label: labels.closingPrice, value: closingCell(writer, trade) });
  }
  return facts;
}

function sumsOf(writer: Writer, trade: InventedTrade, cells: Cells): Sum[] {
  const { labels } = writer;
  const { truth } = trade;
  const sums: Sum[] = [];
  const line = (label: string, value: number) => {
    if (value !== 0) sums.push({ label, value: plainMoney(writer, value, truth.currency) });
  };
  sums.push(...grossSums(writer, trade, cells));
  const feeLines = [trade.commission, trade.exchangeFee].filter((fee) => fee !== 0);
  if (feeLines.length === 1) {
    const label = trade.commission !== 0 ? labels.commission : labels.exchangeFee;
    sums.push({ label, value: cells.money("fees", truth.fees, truth.currency) });
  } else if (feeLines.length > 1) {
    line(labels.commission, trade.commission);
    line(labels.exchangeFee, trade.exchangeFee);
    sums.push({ label: labels.totalFees, value: cells.money("fees", truth.fees, truth.currency) });
  }
  if (truth.taxes !== 0) {
    const label = trade.transactionTax !== 0 ? labels.transactionTax : labels.capitalGainsTax;
    sums.push({ label, value: cells.money("taxes", truth.taxes, truth.currency) });
  }
  const label = truth.direction === "BUY" ? labels.netDebit : labels.netCredit;
  sums.push({ label, value: cells.money("net", truth.net, truth.currency), isTotal: true });
  if (writer.traps.includes("fx-legs") && truth.forexGross !== null) {
    const foreignNet = round2((truth.net * truth.forexGross) / truth.gross);
    sums.push({ label, value: plainMoney(writer, foreignNet, securityCurrency(trade)) });
  }
  return sums;
}

/** Market value, accrued interest and the conversion into the account's currency. */
function grossSums(writer: Writer, trade: InventedTrade, cells: Cells): Sum[] {
  const { labels } = writer;
  const { truth } = trade;
  const foreign = securityCurrency(trade);
  const hasInterest = truth.accruedInterest !== null;
  const isForeign = truth.forexGross !== null;
  const sums: Sum[] = [];
  if (hasInterest) {
    sums.push({ label: labels.gross, value: plainMoney(writer, trade.marketValue, foreign) });
    sums.push({
      label: labels.accruedInterest,
      value: cells.money("accruedInterest", truth.accruedInterest!, foreign),
    });
  }
  if (isForeign) {
    sums.push({
      label: hasInterest ? labels.amount : labels.gross,
      value: cells.money("forexGross", truth.forexGross!, foreign),
    });
    sums.push({ label: `${labels.fxRate} ${trade.ratePair}`, value: cells.fxRate });
  }
  const label = hasInterest || isForeign ? labels.amount : labels.gross;
  sums.push({ label, value: cells.money("gross", truth.gross, truth.currency) });
  return sums;
}

/** Prices may be quoted in pence, but amounts are in pounds. */
function securityCurrency(trade: InventedTrade): string {
  return trade.truth.priceCurrency === "GBX" ? "GBP" : trade.truth.priceCurrency;
}

/** Many trades, one row each. */
export function composeStatement(writer: Writer, trades: InventedTrade[]): Block[] {
  const { labels } = writer;
  const columns: Column[] = [
    { label: labels.date, align: "left", share: 2.1 },
    { label: labels.direction.split(" ")[0]!, align: "left", share: 2.3 },
    { label: labels.security, align: "left", share: 5.2 },
    { label: "ISIN", align: "left", share: 2.9 },
    { label: labels.quantity.split(" ")[0]!, align: "right", share: 1.7 },
    { label: labels.price.split(" ")[0]!, align: "right", share: 2.5 },
    { label: labels.amount, align: "right", share: 3 },
  ];
  const hasClosing = writer.traps.includes("closing-price");
  if (hasClosing) columns.splice(5, 0, closingColumn(writer));
  const rows = trades.map((trade, index) => {
    const cells = tradeCells(writer, trade, index);
    const net = cells.money("net", trade.truth.net, trade.truth.currency);
    const quantity = cells.quantity.filter((piece) => typeof piece !== "string");
    const row = [
      cells.tradeDate,
      cells.direction,
      cells.name,
      cells.isin,
      quantity,
      cells.price,
      net,
    ];
    if (hasClosing) row.splice(5, 0, closingCell(writer, trade));
    return row;
  });
  const days = trades.map((trade) => trade.truth.tradeDate).sort();
  const period = `${writeDay(writer, days[0]!)} - ${writeDay(writer, days.at(-1)!)}`;
  const account = tradeCells(writer, trades[0]!, 0).account;
  return [
    {
      kind: "facts",
      facts: [
        { label: labels.account, value: account },
        { label: labels.date, value: [period] },
      ],
    },
    { kind: "paragraph", text: [labels.statementIntro] },
    { kind: "table", columns, rows },
  ];
}
