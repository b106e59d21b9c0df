import type { Cell, Tagged } from "./blocks.ts";
import { type DateStyle, type NumberStyle, writeDate, writeNumber } from "./locale.ts";
import type { Field, Language, Trap } from "./note.ts";
import type { Skin } from "./skins.ts";
import type { InventedTrade } from "./trade.ts";
import type { Labels } from "./words/labels.ts";

/** How one note writes its values: language, skin and the choices drawn for it. */
export interface Writer {
  language: Language;
  skin: Skin;
  labels: Labels;
  numbers: NumberStyle;
  dates: DateStyle;
  traps: readonly Trap[];
}

export function writeDay(writer: Writer, day: string): string {
  return writeDate(day, writer.dates, writer.language);
}

export function plainMoney(writer: Writer, value: number, currency: string): Cell {
  const text = writeNumber(value, writer.numbers, 2);
  return writer.skin.currencyFirst ? [`${currency} ${text}`] : [`${text} ${currency}`];
}

/** The cells of one trade, each tagged with the field that it prints. */
export function tradeCells(writer: Writer, trade: InventedTrade, index: number) {
  const { truth } = trade;
  const tag = (field: Field, text: string): Tagged => ({ trade: index, field, text });
  const money = (field: Field, value: number, currency: string): Cell => {
    const amount = tag(field, writeNumber(value, writer.numbers, 2));
    const unit = field === "net" ? tag("currency", currency) : currency;
    return writer.skin.currencyFirst ? [unit, " ", amount] : [amount, " ", unit];
  };
  const priceText = writeNumber(truth.price, writer.numbers, trade.pricePlaces);
  return {
    direction: [
      tag("direction", truth.direction === "BUY" ? writer.labels.buy : writer.labels.sell),
    ],
    tradeDate: [tag("tradeDate", writeDay(writer, truth.tradeDate))],
    settlementDate: [
      tag("settlementDate", writeDay(writer, truth.settlementDate ?? truth.tradeDate)),
    ],
    name: [tag("name", truth.name)],
    isin: [tag("isin", truth.isin)],
    localId: [tag("localId", truth.localId ?? "")],
    ticker: [tag("ticker", truth.ticker ?? "")],
    reference: [tag("reference", truth.reference)],
    account: [tag("account", truth.account)],
    fxRate: [tag("fxRate", writeNumber(truth.fxRate ?? 1, writer.numbers, 6, 4))],
    time: [tag("tradeTime", trade.time)],
    quantity: quantityCell(writer, trade, tag),
    price: priceCell(trade, priceText, tag),
    money,
  };
}

function quantityCell(
  writer: Writer,
  trade: InventedTrade,
  tag: (field: Field, text: string) => Tagged,
): Cell {
  const { truth } = trade;
  const places = trade.quantityPlaces;
  const text = tag(
    "quantity",
    writeNumber(truth.quantity, writer.numbers, truth.isPercentQuoted ? 2 : places),
  );
  if (truth.isPercentQuoted)
    return writer.skin.currencyFirst
      ? [truth.currency === truth.priceCurrency ? truth.currency : truth.priceCurrency, " ", text]
      : [text, " ", truth.priceCurrency];
  return [text, " ", writer.labels.units];
}

function priceCell(
  trade: InventedTrade,
  text: string,
  tag: (field: Field, text: string) => Tagged,
): Cell {
  if (trade.truth.isPercentQuoted) return [tag("price", text), " %"];
  if (trade.truth.priceCurrency === "GBX") return [tag("price", text), "p"];
  return [tag("price", text), " ", tag("priceCurrency", trade.truth.priceCurrency)];
}
