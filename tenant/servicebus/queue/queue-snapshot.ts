import type { StoredMessage } from "./message.ts";
import type { QueueSettings } from "./queue-settings.ts";

type KeptMessage = Omit<StoredMessage, "expiresAtMs"> & { readonly expiresAtMs: number | null };

/** A queue as a snapshot contains it. JSON has no Infinity, so null means that there is no end. */
export interface QueueSnapshot {
  readonly settings: Omit<QueueSettings, "defaultMessageTimeToLiveMs"> & {
    readonly defaultMessageTimeToLiveMs: number | null;
  };
  readonly sequence: number;
  readonly messages: readonly KeptMessage[];
  /** Message ids and when each was seen, for duplicate detection. */
  readonly seen: readonly (readonly [string, number])[];
  readonly sessionStates: readonly (readonly [string, Buffer])[];
}

/** A saved message is never locked: its holder no longer exists when it is restored. */
export function keepMessage(message: StoredMessage): KeptMessage {
  const waiting = message.isDeferred ? "deferred" : "active";
  return {
    ...message,
    lock: null,
    state: message.state === "locked" ? waiting : message.state,
    expiresAtMs: finiteOrNull(message.expiresAtMs),
  };
}

export function bringBack(kept: KeptMessage): StoredMessage {
  return { ...kept, expiresAtMs: kept.expiresAtMs ?? Number.POSITIVE_INFINITY };
}

export function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
