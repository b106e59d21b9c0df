import { extractTrades, readingOfText } from "../../src/extract/extract-trades.ts";

export const read = (lines: string[]) => extractTrades(readingOfText(lines.join("\n"))).trades;

/** What must be right in every trade: direction, day, security, quantity, net and currency. */
export const brief = (lines: string[]) =>
  read(lines).map((trade) => [
    trade.direction,
    trade.tradeDate,
    trade.security.isin ?? trade.security.ticker,
    trade.quantity,
    trade.net,
    trade.currency,
  ]);
