import { useQuery } from "@tanstack/react-query";
import { ask } from "./api.ts";

export interface TraceStep {
  readonly at: string;
  readonly kind: string;
  readonly what: string;
  readonly mailbox: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface Trace {
  readonly id: string;
  readonly deliveries: readonly { readonly mailbox: string; readonly messageId: string }[];
  readonly steps: readonly TraceStep[];
}

export function useTrace(id: string) {
  return useQuery({
    queryKey: ["trace", id],
    queryFn: ({ signal }) => ask<Trace>(`/api/trace/${encodeURIComponent(id)}`, {}, signal),
    refetchInterval: 10_000,
  });
}
