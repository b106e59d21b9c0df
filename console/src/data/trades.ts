import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../../src/client/index.ts";
import { ask, tell } from "./api.ts";

export type TradeView = Schemas["Trade"];
export type TradeDetails = Schemas["TradeDetails"];

export interface TradeFilter {
  readonly status?: string | undefined;
  readonly username?: string | undefined;
  readonly needsAudit?: string | undefined;
}

export function useTrades(filter: TradeFilter) {
  return useQuery({
    queryKey: ["trades", filter],
    queryFn: async ({ signal }) =>
      (await ask<{ trades: TradeView[] }>("/api/trades", { ...filter, limit: 1000 }, signal))
        .trades,
    refetchInterval: 10_000,
  });
}

export function useTrade(id: string, isWanted = true) {
  return useQuery({
    enabled: isWanted,
    queryKey: ["trades", id],
    queryFn: ({ signal }) => ask<TradeDetails>(`/api/trades/${encodeURIComponent(id)}`, {}, signal),
  });
}

export const undoTrade = (id: string, reason: string): Promise<unknown> =>
  tell("POST", `/api/trades/${encodeURIComponent(id)}/undo`, { reason });
