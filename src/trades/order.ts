/** A trade that somebody was expected to make. */
export interface Order {
  readonly id: number;
  readonly reference: string;
  readonly username: string;
  readonly userEmail: string | null;
  readonly holderName: string | null;
  readonly direction: "BUY" | "SELL";
  readonly ticker: string | null;
  readonly isin: string | null;
  readonly sedol: string | null;
  readonly cusip: string | null;
  readonly description: string | null;
  readonly quantity: number;
  readonly limitPrice: number | null;
  readonly currency: string | null;
  /** YYYY-MM-DD */
  readonly placedOn: string;
  readonly validUntil: string | null;
  readonly status: "open" | "executed" | "cancelled";
}

/** A person whose trade it may be. */
export interface Trader {
  readonly username: string;
  readonly email: string | null;
  readonly name: string | null;
  /** Numbers of this person's accounts. */
  readonly accounts: readonly string[];
}

export type OrderState = "linked" | "unmatched" | "in-review" | "no-orders";

export type Gate = "user" | "direction" | "security" | "economics";

/** One order compared with a trade: the first gate that it failed, or null if it passed all of them. */
export interface MatrixRow {
  readonly orderId: number;
  readonly reference: string;
  readonly failed: Gate | null;
  readonly why: string;
}
