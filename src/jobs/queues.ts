/**
 * Every queue by name. A new queue needs only a line here. Each is consumed separately, so a burst on one
 * never delays another.
 */
export interface QueueSettings {
  readonly name: string;
  /** How often Service Bus delivers a message before it gives up. */
  readonly maxDeliveryCount: number;
}

/** Seven days: older messages become dead letters instead of disappearing silently. */
export const MESSAGE_TTL_MS = 7 * 24 * 60 * 60 * 1000;

const MAX_DELIVERIES: Readonly<Record<string, number>> = {
  "webhook-events": 10,
  "webhook-renewal": 10,
  "delta-sync": 10,
  "mail-ingest": 10,
  "mail-to-document": 10,
  documents: 10,
  analysis: 10,
  maintenance: 10,
  // For other programs that know one queue only; each job moves on to the queue of its type.
  jobs: 10,
  "office-upload-finalization": 5,
  "office-profile": 3,
  "office-indexing": 3,
};

const MAX_DELIVERIES_DEFAULT = 10;

export const QUEUES: readonly QueueSettings[] = Object.entries(MAX_DELIVERIES).map(
  ([name, maxDeliveryCount]) => ({ name, maxDeliveryCount }),
);

/** The settings of the named queues; a name that is not registered gets the defaults. */
export function queueSettings(names: Iterable<string>): QueueSettings[] {
  return [...new Set(names)].map((name) => ({
    name,
    maxDeliveryCount: MAX_DELIVERIES[name] ?? MAX_DELIVERIES_DEFAULT,
  }));
}
