/** The settings of a queue; the names are those of the service's own management API. */
export interface QueueSettings {
  readonly name: string;
  /** Milliseconds; the service allows 5 s to 5 min. */
  lockDurationMs: number;
  maxDeliveryCount: number;
  /** Milliseconds; Infinity keeps messages forever. */
  defaultMessageTimeToLiveMs: number;
  deadLetteringOnMessageExpiration: boolean;
  readonly requiresDuplicateDetection: boolean;
  duplicateDetectionHistoryTimeWindowMs: number;
  readonly requiresSession: boolean;
  maxMessageSizeBytes: number;
  maxSizeInMegabytes: number;
  status: "Active" | "SendDisabled" | "ReceiveDisabled" | "Disabled";
}

export type QueueDeclaration = Partial<QueueSettings> & { readonly name: string };

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Service defaults: one-minute locks, ten deliveries, no expiry, 256 KB messages (Standard tier). */
export function toQueueSettings(declaration: QueueDeclaration): QueueSettings {
  return {
    lockDurationMs: MINUTE,
    maxDeliveryCount: 10,
    defaultMessageTimeToLiveMs: Number.POSITIVE_INFINITY,
    deadLetteringOnMessageExpiration: false,
    requiresDuplicateDetection: false,
    duplicateDetectionHistoryTimeWindowMs: 10 * MINUTE,
    requiresSession: false,
    maxMessageSizeBytes: 256 * 1024,
    maxSizeInMegabytes: 1024,
    status: "Active",
    ...declaration,
  };
}

/** Why a declaration is refused, or null. */
export function problemWith(settings: QueueSettings): string | null {
  if (settings.name.length === 0 || settings.name.length > 260) {
    return "The entity path must have 1 to 260 characters.";
  }
  if (!/^[A-Za-z0-9][A-Za-z0-9._\-/~]*$/.test(settings.name)) {
    return `'${settings.name}' contains characters that are not allowed in an entity path.`;
  }
  if (settings.lockDurationMs <= 0 || settings.lockDurationMs > 5 * MINUTE) {
    return "LockDuration must be greater than zero and at most five minutes.";
  }
  if (!Number.isInteger(settings.maxDeliveryCount) || settings.maxDeliveryCount < 1) {
    return "MaxDeliveryCount must be at least 1.";
  }
  const window = settings.duplicateDetectionHistoryTimeWindowMs;
  if (window < 20_000 || window > 7 * DAY) {
    return "DuplicateDetectionHistoryTimeWindow must lie between 20 seconds and 7 days.";
  }
  return null;
}

/** The queues that every tenant starts with. Jobs of the Office add-in are kept for seven days. */
export const DEFAULT_QUEUES: readonly QueueDeclaration[] = [
  { name: "webhook-events" },
  { name: "webhook-renewal" },
  { name: "delta-sync" },
  {
    name: "office-upload-finalization",
    maxDeliveryCount: 5,
    defaultMessageTimeToLiveMs: 7 * DAY,
    deadLetteringOnMessageExpiration: true,
  },
  { name: "office-profile", maxDeliveryCount: 3, defaultMessageTimeToLiveMs: 7 * DAY },
  { name: "office-indexing", maxDeliveryCount: 3, defaultMessageTimeToLiveMs: 7 * DAY },
];
