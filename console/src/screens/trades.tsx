/** Every booked trade, where it came from and who confirmed it. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { request, toUrl } from "../data/api.ts";
import { type TradeFilter, type TradeView, useTrades } from "../data/trades.ts";
import { Button } from "../design/button.tsx";
import { Empty, Loading } from "../design/feedback.tsx";
import { FilterBar, type FilterChoice } from "../design/filter-bar.tsx";
import { formatAmount, formatDay, formatNumber, plural } from "../design/format.ts";
import { type Column, Table } from "../design/table.tsx";
import { Failure } from "../shell/failure.tsx";
import { PageFrame } from "../shell/page-frame.tsx";
import { save } from "../shell/save.ts";
import type { Search } from "../shell/search.ts";
import { TradeState, tradeTitle } from "./trades/trade-words.tsx";

export function Trades() {
  const { text = "", ...filter } = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const { data, error, refetch } = useTrades(filter as TradeFilter);
  const [failure, setFailure] = useState<unknown>(null);
  const set = (changes: Search) =>
    void navigate({ to: "/trades", search: { ...filter, text, ...changes }, replace: true });
  const rows = (data ?? []).filter((trade) => matches(trade, text));
  const download = () =>
    request("GET", toUrl("/api/trades", { ...filter, format: "csv", limit: 5000 }))
      .then(async (answer) => save(await answer.blob(), "trades.csv"))
      .catch(setFailure);
  return (
    <PageFrame
      title="Trades"
      note={data && plural(rows.length, "trade")}
      fill
      actions={
        <Button size="small" icon="download" onClick={() => void download()}>
          CSV
        </Button>
      }
    >
      <FilterBar
        searchLabel="Name, ISIN or reference"
        text={text}
        onText={(value) => set({ text: value || undefined })}
        filters={FILTERS.map((each) => ({ ...each, value: filter[each.key] }))}
        onFilter={(key, value) => set({ [key]: value })}
      />
      {failure !== null && <Failure error={failure} />}
      <div className="page-gutter flex min-h-0 flex-1 flex-col bg-surface">
        {data === undefined ? (
          error ? (
            <Failure error={error} onRetry={() => void refetch()} />
          ) : (
            <Loading what="trades" rows={14} />
          )
        ) : rows.length === 0 ? (
          <Empty icon="trades" title={data.length === 0 ? "No trades yet." : "No trades match."}>
            {data.length === 0
              ? "A trade appears here when a contract note arrives in an ingested folder."
              : "Remove a filter."}
          </Empty>
        ) : (
          <TradeTable trades={rows} />
        )}
      </div>
    </PageFrame>
  );
}

function TradeTable({ trades }: { trades: readonly TradeView[] }) {
  const navigate = useNavigate();
  return (
    <Table
      label="Trades"
      fill
      rows={trades}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowLabel={(trade) => `${tradeTitle(trade)}, ${trade.status}`}
      onOpen={({ id }) => void navigate({ to: "/trades/$id", params: { id } })}
      phone={(trade) => ({
        first: tradeTitle(trade),
        second: `${trade.username} · ${trade.net === null ? "–" : formatAmount(trade.net, trade.currency)}`,
        aside: <TradeState trade={trade} />,
      })}
    />
  );
}

function matches({ name, isin, reference, tradeKey }: TradeView, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return true;
  return [name, isin, reference, tradeKey].some((each) => each?.toLowerCase().includes(wanted));
}

const FILTERS: readonly Omit<FilterChoice, "value">[] = [
  {
    key: "status",
    label: "State",
    options: [
      ["confirmed", "Confirmed"],
      ["cancelled", "Cancelled"],
      ["amended", "Amended"],
      ["withdrawn", "Withdrawn"],
    ],
  },
  {
    key: "needsAudit",
    label: "Audit",
    options: [
      ["true", "Marked for audit"],
      ["false", "Not marked"],
    ],
  },
  { key: "username", label: "Person" },
];

const COLUMNS: readonly Column<TradeView>[] = [
  {
    key: "date",
    head: "Trade date",
    width: 88,
    cell: ({ tradeDate }) => (tradeDate === null ? "–" : formatDay(tradeDate)),
  },
  {
    key: "direction",
    head: "Side",
    width: 40,
    cell: ({ direction }) => (direction === "BUY" ? "Buy" : "Sell"),
  },
  {
    key: "quantity",
    head: "Quantity",
    width: 80,
    align: "right",
    cell: ({ quantity }) => (quantity === null ? "–" : formatNumber(quantity)),
  },
  {
    key: "security",
    head: "Security",
    cell: ({ name, isin, ticker }: TradeView & { ticker?: string | null }) =>
      name ?? isin ?? ticker ?? "–",
  },
  {
    key: "price",
    head: "Price",
    width: 112,
    align: "right",
    from: 880,
    cell: ({ price, priceCurrency }) =>
      price === null ? "–" : `${formatNumber(price)} ${priceCurrency ?? ""}`,
  },
  {
    key: "net",
    head: "Net",
    width: 128,
    align: "right",
    from: 720,
    cell: ({ net, currency }) => (net === null ? "–" : formatAmount(net, currency)),
  },
  { key: "person", head: "Person", width: 120, from: 1200, cell: ({ username }) => username },
  {
    key: "by",
    head: "Confirmed by",
    width: 96,
    from: 1200,
    cell: ({ confirmedBy }) => (confirmedBy === "postroom" ? "Postroom" : "A person"),
  },
  { key: "state", head: "State", width: 136, cell: (trade) => <TradeState trade={trade} /> },
];
