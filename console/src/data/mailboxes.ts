import { useQuery } from "@tanstack/react-query";
import { ask } from "./api.ts";

export interface Mailbox {
  readonly id: number;
  readonly connection: string;
  readonly address: string;
  readonly ownerId: string;
  readonly observes: boolean;
  readonly ingestFolder: string | null;
  readonly status: "active" | "paused" | "unreachable";
  readonly statusReason: string | null;
  readonly delivery: "push" | "delta" | "poll";
  readonly deliveryReason: string;
  readonly lastNotificationAt: string | null;
  readonly lastEventAt: string | null;
  readonly lastDeltaAt: string | null;
  readonly lastAuditAt: string | null;
  readonly lastAudit: {
    readonly inMailbox: number;
    readonly inLog: number;
    readonly findings: number;
  } | null;
  readonly createdAt: string;
  readonly subscription?: {
    readonly subscriptionId: string;
    readonly expiresAt: string;
    readonly lastError: string | null;
  } | null;
  readonly coverage?: {
    readonly events: number;
    readonly byPush: number;
    readonly rescued: number;
    readonly medianSeconds: number | null;
    readonly p99Seconds: number | null;
    readonly pushCoverage: number | null;
  } | null;
}

export function useMailboxes() {
  return useQuery({
    queryKey: ["mailboxes"],
    queryFn: ({ signal }) => ask<Mailbox[]>("/api/mailboxes", {}, signal),
    refetchInterval: 10_000,
  });
}
