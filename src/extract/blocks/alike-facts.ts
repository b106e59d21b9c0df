/**
 * Reads the rows that prove nothing by themselves like the other rows of their table: one share costs its own price,
 * and a price without decimals looks like a number of shares.
 */
import type { TextLine } from "../layout/text-line.ts";
import { type Amount, differ } from "../values/amount.ts";
import { slackOf } from "../values/amount-scores.ts";
import type { Fact } from "./fact.ts";

export interface Row {
  line: TextLine;
  own: Amount[];
}

/** Rows that agree on the places of their numbers, and their share of the rows that were read. */
const ALIKE_MIN = 2;
const ALIKE_SHARE = 0.6;
const SCORE = 1.6;

/** Where quantity, price and gross are among the numbers after the direction word. */
interface Places {
  quantity: number;
  price: number;
  gross: number;
}

export function findAlikeFacts(rows: readonly Row[], known: readonly Fact[]): Fact[] {
  const read = new Map(known.map((fact) => [fact.first, fact]));
  const found = rows.flatMap((row) => {
    const fact = read.get(row.line.index);
    return fact ? (placesOf(row, fact) ?? []) : [];
  });
  const places = mostOf(found, known.length);
  if (!places) return [];
  return rows
    .filter(({ line }) => !read.has(line.index))
    .flatMap((row) => factAt(row, places) ?? []);
}

function placesOf(row: Row, fact: Fact): Places | null {
  const after = numbersAfter(row);
  const [quantity, price] = [fact.quantity, fact.price].map((part) =>
    after.findIndex(({ token }) => token === part.token),
  ) as [number, number];
  // A gross that is not printed was computed for the amount that is nearest to it.
  const missBy = ({ value }: Amount) => Math.abs(value - fact.gross.value);
  const nearest = after
    .filter(({ decimals }) => decimals === 2)
    .sort((a, b) => missBy(a) - missBy(b))[0];
  const gross = nearest ? after.indexOf(nearest) : -1;
  const isApart = gross !== quantity && gross !== price;
  return isApart && Math.min(quantity, price, gross) >= 0 ? { quantity, price, gross } : null;
}

function mostOf(found: readonly Places[], count: number): Places | null {
  const counts = new Map<string, Places[]>();
  for (const places of found) {
    const key = `${places.quantity} ${places.price} ${places.gross}`;
    counts.set(key, [...(counts.get(key) ?? []), places]);
  }
  const most = [...counts.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  return most.length >= ALIKE_MIN && most.length >= count * ALIKE_SHARE ? most[0]! : null;
}

/** The numbers after the word for bought or sold, each once; "42 186" is two of them. */
function numbersAfter({ line, own }: Row): Amount[] {
  const word = line.directions.find((match) => match.value !== "CANCEL");
  return own.filter(
    ({ token, reading }) => reading === 0 && !token.isJoined && token.start >= (word?.end ?? 0),
  );
}

function factAt(row: Row, places: Places): Fact | null {
  const after = numbersAfter(row);
  const [quantity, price, gross] = [places.quantity, places.price, places.gross].map(
    (place) => after[place],
  );
  if (!quantity || !price || !gross || gross.decimals !== 2) return null;
  if ([quantity, price, gross].some(({ token }) => token.isPercent)) return null;
  if (quantity.currency || differ(price.currency, gross.currency)) return null;
  const isMet =
    Math.abs(quantity.value * price.value - gross.value) <= slackOf(quantity, price, false);
  if (!isMet) return null;
  const { index } = row.line;
  return { quantity, price, gross, isPercent: false, first: index, last: index, score: SCORE };
}
