/**
 * The subscriptions whose notifications we accept, including those that ended within the four hours for
 * which Graph repeats notifications. Held in memory, so that checking a notification costs no query.
 * Refreshed after our own changes and, at most once a second, when a notification names an unknown
 * subscription.
 */
import type { Clock } from "../../lib/clock.ts";
import { isSameSecret, sha256 } from "../../lib/hash.ts";
import type { Queryable } from "../../store/database.ts";
import { beyondTenant } from "../../store/reach.ts";
import { findSubscriptionSecrets, type SubscriptionSecret } from "./subscription-table.ts";

export interface KnownSubscription extends SubscriptionSecret {
  readonly tenantId: string | null;
}

export interface SubscriptionDirectory {
  /** The subscription that this secret belongs to, or null. Takes the same time either way. */
  verify(subscriptionId: string, clientState: string): KnownSubscription | null;
  has(subscriptionId: string): boolean;
  /** Reads the table again; calls within a second share one query. */
  refresh(options?: { atMostOncePerSecond?: boolean }): Promise<void>;
}

/** Graph repeats a notification for this long. */
const REPEATED_HOURS = 4;
const NOBODY = sha256("a clientState that no subscription has");

export function createSubscriptionDirectory(needs: {
  database: Queryable;
  clock: Clock;
  /** The tenant that notifications of each connection must name. */
  tenantOf: (connection: string) => string | null;
}): SubscriptionDirectory {
  let bySubscription = new Map<string | null, KnownSubscription>();
  let pending: KnownSubscription[] = [];
  let lastReadMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  const read = async (): Promise<void> => {
    // Notifications come for every tenant, even if the request that made us read again belongs to only one.
    const rows = await beyondTenant(() => findSubscriptionSecrets(needs.database, REPEATED_HOURS));
    const known = rows.map(({ connection, ...row }) => ({
      ...row,
      tenantId: needs.tenantOf(connection),
    }));
    bySubscription = new Map(known.map((row) => [row.subscriptionId, row]));
    pending = known.filter((row) => row.subscriptionId === null);
    lastReadMs = needs.clock.now();
  };

  return {
    verify(subscriptionId, clientState) {
      const known = bySubscription.get(subscriptionId);
      if (known !== undefined) return isSameSecret(known.secretHash, clientState) ? known : null;
      // Graph may notify before it has answered our request; the secret was stored before that.
      for (const row of pending) if (isSameSecret(row.secretHash, clientState)) return row;
      isSameSecret(NOBODY, clientState);
      return null;
    },
    has: (subscriptionId) => bySubscription.has(subscriptionId),
    async refresh(options = {}) {
      if (options.atMostOncePerSecond && needs.clock.now() - lastReadMs < 1_000) return;
      reading ??= read().finally(() => {
        reading = null;
      });
      await reading;
    },
  };
}
