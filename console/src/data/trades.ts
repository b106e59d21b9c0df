import { useQuery } from "@tanstack/react-query";
import { ask, tell } from "./api.ts";

export interface TradeView {
  readonly id: string;
  readonly tradeKey: string;
  readonly status: "confirmed" | "cancelled" | "amended" | "withdrawn";
  readonly confirmedBy: string;
  readonly needsAudit: boolean;
  readonly username: string;
  readonly senderEmail: string;
  readonly direction: string | null;
  readonly quantity: number | null;
  readonly price: number | null;
  readonly priceCurrency: string | null;
  readonly gross: number | null;
  readonly fees: number | null;
  readonly taxes: number | null;
  readonly net: number | null;
  readonly currency: string | null;
  readonly tradeDate: string | null;
  readonly settlementDate: string | null;
  readonly name: string | null;
  readonly isin: string | null;
  readonly reference: string | null;
  readonly account: string | null;
  readonly confidence: number;
  readonly orderState: string;
  readonly correctsId: string | null;
  readonly createdAt: string;
  readonly documents: readonly {
    readonly documentId: string;
    readonly isPrimary: boolean;
    readonly filename: string;
    readonly archivePath: string | null;
    readonly messageId: string | null;
    readonly receivedAt: string;
  }[];
}

export interface TradeDecision {
  readonly id: number;
  readonly kind: string;
  readonly at: string;
  readonly actor: string;
  readonly explanation: readonly string[];
  readonly undoneBy: number | null;
}

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

export function useTrade(id: string) {
  return useQuery({
    queryKey: ["trades", id],
    queryFn: ({ signal }) =>
      ask<TradeView & { decisions: TradeDecision[] }>(
        `/api/trades/${encodeURIComponent(id)}`,
        {},
        signal,
      ),
  });
}

export const undoTrade = (id: string, reason: string): Promise<unknown> =>
  tell("POST", `/api/trades/${encodeURIComponent(id)}/undo`, { reason });
