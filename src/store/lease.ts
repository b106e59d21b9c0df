/**
 * Leases: a row says who may do something and until when. The holder renews the row while it works; after
 * a crash the lease expires and somebody else takes it.
 *
 * A lease keeps work going and does not protect data: a holder that was paused may still write after its
 * lease has passed to another. So every holder has a fence as well, a value that it compares in the transaction
 * that writes: a job its token, a claim its worker id, a folder the link it was read from.
 */
import type { Queryable } from "./database.ts";

/** The table of one kind of lease. It has a column `until`; the columns of a `Holder` are its own. */
export interface LeaseTable {
  readonly name: string;
  /** The clock that ends a lease: `postroom.now()`, which tests move, or the real one. */
  readonly clock: "postroom.now()" | "clock_timestamp()";
  /** How an existing lease is taken over; null if every lease is a new row. */
  readonly takeover: {
    /** The columns that name what is leased. */
    readonly key: string;
    /** What changes besides owner and end; the row is `l`. */
    readonly set: string;
    /** False if the caller has made sure that the lease is free. */
    readonly isOnlyAfterEnd: boolean;
  } | null;
  /** What `takeLease` returns. */
  readonly returning: string;
}

/** Column values that belong to one holder and to no other. */
export type Holder = Readonly<Record<string, string | number>>;

/** Returns null if somebody else holds the lease. */
export async function takeLease<Row extends object>(
  on: Queryable,
  leases: LeaseTable,
  holder: Holder,
  leaseMs: number,
): Promise<Row | null> {
  const columns = Object.keys(holder);
  const values = columns.map((_, index) => `$${index + 1}`);
  const { rows } = await on.query<Row>(
    `INSERT INTO ${leases.name} AS l (${columns.join(", ")}, until)
     VALUES (${values.join(", ")}, ${inMs(leases, columns.length + 1)})
     ${onConflict(leases)}
     RETURNING ${leases.returning}`,
    [...Object.values(holder), leaseMs],
  );
  return rows[0] ?? null;
}

function onConflict({ takeover, clock }: LeaseTable): string {
  if (takeover === null) return "";
  const end = takeover.isOnlyAfterEnd ? `WHERE l.until < ${clock}` : "";
  return `ON CONFLICT (${takeover.key}) DO UPDATE
    SET owner = EXCLUDED.owner, until = EXCLUDED.until, ${takeover.set} ${end}`;
}

/** Returns false if the lease has passed to somebody else; stop working then. */
export async function renewLease(
  on: Queryable,
  leases: LeaseTable,
  holder: Holder,
  leaseMs: number,
): Promise<boolean> {
  const { text, values } = renewal(leases, holder, leaseMs);
  return (await on.query(text, values)).rowCount > 0;
}

/** The statement that renews a lease, for a thread with its own connection. */
export function renewal(
  leases: LeaseTable,
  holder: Holder,
  leaseMs: number,
): { text: string; values: (string | number)[] } {
  const values = Object.values(holder);
  return {
    text: `UPDATE ${leases.name} SET until = ${inMs(leases, values.length + 1)} WHERE ${isHolder(holder)}`,
    values: [...values, leaseMs],
  };
}

/** Removes the lease. Releasing a lease that has passed to somebody else changes nothing. */
export async function releaseLease(
  on: Queryable,
  leases: LeaseTable,
  holder: Holder,
): Promise<void> {
  await on.query(`DELETE FROM ${leases.name} WHERE ${isHolder(holder)}`, Object.values(holder));
}

/** SQL that is true while a lease exists that satisfies `condition` and has not expired; its row is `l`. */
export function isLeased(leases: LeaseTable, condition: string): string {
  return `EXISTS (SELECT 1 FROM ${leases.name} l WHERE ${condition} AND l.until > ${leases.clock})`;
}

const inMs = (leases: LeaseTable, parameter: number): string =>
  `${leases.clock} + $${parameter} * interval '1 ms'`;

/** The values start at parameter `$1`. */
const isHolder = (holder: Holder): string =>
  Object.keys(holder)
    .map((column, index) => `${column} = $${index + 1}`)
    .join(" AND ");
