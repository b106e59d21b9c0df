/** Orders, documents, senders, people, evidence and the doctor: what is listed and little more. */
import { useQuery } from "@tanstack/react-query";
import { ask, request, tell } from "./api.ts";
import { queryClient } from "./query.ts";

export interface Order {
  readonly id: number;
  readonly reference: string;
  readonly status: "open" | "executed" | "cancelled";
  readonly username: string | null;
  readonly direction: string | null;
  readonly quantity: number | null;
  readonly isin: string | null;
  readonly ticker?: string | null;
  readonly createdAt?: string;
}

export function useOrders() {
  return useQuery({
    queryKey: ["orders"],
    queryFn: async ({ signal }) =>
      (await ask<{ orders: Order[] }>("/api/orders", {}, signal)).orders,
  });
}

export interface OrderImport {
  readonly orders: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** The first of those that would be added or changed. */
  readonly changes: readonly {
    readonly reference: string;
    readonly change: "added" | "changed" | "unchanged";
    readonly fields: readonly {
      readonly name: string;
      readonly from: string | null;
      readonly to: string | null;
    }[];
  }[];
}

export const previewOrders = (csv: string): Promise<OrderImport> =>
  tell("POST", "/api/orders/import", { csv, dryRun: true });

export async function importOrders(csv: string): Promise<void> {
  await tell("POST", "/api/orders/import", { csv });
  void queryClient.invalidateQueries({ queryKey: ["orders"] });
}

export interface Sender {
  readonly pattern: string;
  readonly approvedBy: string;
  readonly approvedAt: string;
  readonly until: string | null;
}

export function useSenders() {
  return useQuery({
    queryKey: ["senders"],
    queryFn: async ({ signal }) =>
      (await ask<{ senders: Sender[] }>("/api/senders", {}, signal)).senders,
  });
}

export async function approveSender(sender: string, until: string | null): Promise<void> {
  await tell("POST", "/api/senders", { sender, ...(until === null ? {} : { until }) });
  void queryClient.invalidateQueries({ queryKey: ["senders"] });
}

export async function revokeSender(sender: string): Promise<void> {
  await tell("DELETE", `/api/senders/${encodeURIComponent(sender)}`);
  void queryClient.invalidateQueries({ queryKey: ["senders"] });
}

export interface Filing {
  readonly id: string;
  readonly state: "pending" | "uploaded" | "recorded" | "refused" | "missing";
  readonly reason: string | null;
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly source: string;
  readonly mimeType: string | null;
  readonly sha256: string | null;
  readonly webUrl: string | null;
  readonly parent: string | null;
  readonly hasRecord: boolean;
  readonly createdAt: string;
}

export interface FilingFilter {
  readonly state?: string | undefined;
  readonly review?: string | undefined;
}

export function useFilings(filter: FilingFilter) {
  return useQuery({
    queryKey: ["documents", filter],
    queryFn: async ({ signal }) =>
      (await ask<{ documents: Filing[] }>("/api/documents", { ...filter, limit: 1_000 }, signal))
        .documents,
    refetchInterval: 10_000,
  });
}

export interface Finding {
  readonly name: string;
  readonly status: "ok" | "warning" | "failed";
  readonly detail: string;
  readonly fix?: string;
}

export function useDoctor() {
  return useQuery({
    queryKey: ["doctor"],
    queryFn: ({ signal }) => ask<Finding[]>("/api/doctor", {}, signal),
    staleTime: 60_000,
  });
}

export const loadEvidence = async (kind: string, id: string): Promise<Record<string, unknown>> =>
  (await request("GET", `/api/evidence?kind=${kind}&id=${encodeURIComponent(id)}`)).json();
