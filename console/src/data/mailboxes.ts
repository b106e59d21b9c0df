import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../../src/client/index.ts";
import { ask, tell } from "./api.ts";
import { queryClient } from "./query.ts";

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
    queryFn: async ({ signal }) => {
      const query = { limit: 1_000 };
      return (await ask<{ mailboxes: Mailbox[] }>("/api/mailboxes", query, signal)).mailboxes;
    },
    refetchInterval: 10_000,
  });
}

export type Folder = Schemas["Folder"];

export function useMailbox(address: string) {
  return useQuery({
    queryKey: ["mailboxes", address],
    queryFn: ({ signal }) =>
      ask<Mailbox & { folders: Folder[] }>(
        `/api/mailboxes/${encodeURIComponent(address)}`,
        {},
        signal,
      ),
    refetchInterval: 10_000,
  });
}

export interface AuditReport {
  readonly inMailbox: number;
  readonly inLog: number;
  readonly findings: readonly unknown[];
  readonly repaired: number;
}

/** Whether Postroom can read a mailbox. */
export type Access =
  | { readonly isReadable: true }
  | { readonly isReadable: false; readonly reason: string };

/** `verify`, `pause`, `resume`, `resync` or `audit` of one mailbox. */
export async function actOnMailbox<T>(address: string, action: string, body = {}): Promise<T> {
  const path = `/api/mailboxes/${encodeURIComponent(address)}/${action}`;
  const answer = await tell<T>("POST", path, body);
  void queryClient.invalidateQueries({ queryKey: ["mailboxes"] });
  return answer;
}

export async function addMailbox(mailbox: {
  address: string;
  ingestFolder: string | null;
}): Promise<void> {
  await tell("POST", "/api/mailboxes", mailbox);
  void queryClient.invalidateQueries({ queryKey: ["mailboxes"] });
}

/** Leaves the console for the page of Entra where the person lets Postroom read their own mailbox. */
export async function connectOwnMailbox(connection: string): Promise<void> {
  const { url } = await tell<{ url: string }>("POST", "/api/me/mailbox", { connection });
  location.assign(url);
}

/** The page where the person with this address signs in. */
export async function askToConnect(address: string): Promise<string> {
  const path = `/api/mailboxes/${encodeURIComponent(address)}/connect`;
  return (await tell<{ url: string }>("POST", path, {})).url;
}

export type Notice = Schemas["Notice"];

/** What the person has to know about their own mailbox and has not yet seen. */
export function useNotices() {
  return useQuery({
    queryKey: ["notices"],
    queryFn: async ({ signal }) => {
      const { notices } = await ask<{ notices: Notice[] }>("/api/me/notices", {}, signal);
      return notices.filter(({ seenAt }) => seenAt === null);
    },
  });
}

export async function seeNotice(id: number): Promise<void> {
  await tell("POST", `/api/me/notices/${id}/seen`);
  void queryClient.invalidateQueries({ queryKey: ["notices"] });
}
