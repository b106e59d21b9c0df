/**
 * Three printed numbers where the first times the second is the third: quantity, price and gross of a trade.
 */
import type { Amount } from "../values/amount.ts";

export interface Fact {
  quantity: Amount;
  price: Amount;
  gross: Amount;
  isPercent: boolean;
  /** The rate that the product was converted with, if price and gross are in different currencies. */
  rate?: Amount;
  /** The gross with the charges of its row, if no total is printed. */
  net?: Amount;
  /** First and last line on which the three numbers are printed. */
  first: number;
  last: number;
  /** True if `first` is the first line of a row that wraps, with its date and its direction. */
  isRow?: true;
  score: number;
}
