/**
 * Records when a process requests subscriptions and which handshakes to expect. Graph has a reason to send a
 * handshake only then; any other comes from somebody who wants foreign notifications sent here.
 */
import type { Clock } from "../../lib/clock.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { Queryable } from "../../store/database.ts";
import { putTicket, removeTicket, useTicket, withLease } from "../../store/named-lease.ts";

const LEASE_SECONDS = 120;
/** Graph sends one handshake to each of the two addresses of a subscription. */
const HANDSHAKES = 2;
const GRAPH_TICKETS = "handshake:graph:";
const PROBE_TICKETS = "handshake:probe:";

/** Returns null if another process runs a task under the same name. */
export function whileSubscribing<T>(
  needs: { database: Queryable; clock: Clock },
  name: string,
  task: () => Promise<T>,
): Promise<T | null> {
  return withLease(needs, `subscription:${name}`, LEASE_SECONDS, task);
}

/**
 * Admits as many handshakes as one request to Graph causes, and for two minutes longer if the process dies
 * in between.
 */
export function expectHandshakes<T>(
  on: Queryable,
  name: string,
  task: () => Promise<T>,
): Promise<T> {
  const tickets = Array.from({ length: HANDSHAKES }, (_, n) => `${GRAPH_TICKETS}${name}:${n}`);
  return withTickets(on, tickets, task);
}

/** Admits only the handshake that carries this token, which is our own. */
export function expectToken<T>(on: Queryable, token: string, task: () => Promise<T>): Promise<T> {
  return withTickets(on, [ticketOf(token)], task);
}

/** Whether we expect this handshake. Each is admitted once, by whichever process receives it. */
export function admitHandshake(on: Queryable, token: string): Promise<boolean> {
  return useTicket(on, ticketOf(token), GRAPH_TICKETS);
}

const ticketOf = (token: string) => `${PROBE_TICKETS}${sha256Hex(token)}`;

async function withTickets<T>(
  on: Queryable,
  tickets: readonly string[],
  task: () => Promise<T>,
): Promise<T> {
  for (const ticket of tickets) await putTicket(on, ticket, LEASE_SECONDS);
  try {
    return await task();
  } finally {
    for (const ticket of tickets) await removeTicket(on, ticket);
  }
}
