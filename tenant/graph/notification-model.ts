import type { ChangeType } from "./subscription-model.ts";

/** One item of a delivery, as plain data: what the wire shows is made when it is sent. */
export interface Notification {
  readonly id: string;
  readonly subscriptionId: string;
  /** Exactly one of the two is set. */
  readonly changeType: ChangeType | null;
  readonly lifecycleEvent: LifecycleEvent | null;
  readonly resource: string;
  readonly resourceData: Record<string, unknown> | null;
  /** The plain content of a rich notification; it is encrypted at sending. */
  readonly content: Record<string, unknown> | null;
  readonly changedMs: number;
}

export type LifecycleEvent = "reauthorizationRequired" | "subscriptionRemoved" | "missed";
