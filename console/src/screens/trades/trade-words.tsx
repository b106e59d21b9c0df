import type { TradeView } from "../../data/trades.ts";
import { formatNumber } from "../../design/format.ts";
import { State, type Tone } from "../../design/state.tsx";

const STATES: Readonly<Record<TradeView["status"], { tone: Tone; word: string }>> = {
  confirmed: { tone: "ok", word: "Confirmed" },
  cancelled: { tone: "waiting", word: "Cancelled" },
  amended: { tone: "waiting", word: "Amended" },
  withdrawn: { tone: "waiting", word: "Withdrawn" },
};

export function TradeState({ trade }: { trade: TradeView }) {
  if (trade.status === "confirmed" && trade.needsAudit)
    // Most trades of a first day are marked: an icon in each row is enough.
    return (
      <State tone="attention" filled={false}>
        Marked for audit
      </State>
    );
  const { tone, word } = STATES[trade.status];
  return <State tone={tone}>{word}</State>;
}

export function tradeTitle({ direction, quantity, name, isin }: TradeView): string {
  const side = direction === "BUY" ? "Buy" : "Sell";
  return `${side} ${quantity === null ? "" : formatNumber(quantity)} ${name ?? isin ?? ""}`.trim();
}
