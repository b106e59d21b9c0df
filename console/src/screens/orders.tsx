/** Orders: the trades that people are expected to make. */
import { useState } from "react";
import { importOrders, type Order, useOrders } from "../data/books.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { formatCount, formatNumber, plural } from "../design/format.ts";
import { State, type Tone } from "../design/state.tsx";
import type { Column } from "../design/table.tsx";
import { mayCall } from "../session/roles.ts";
import { useMe } from "../session/use-me.ts";
import { OutcomeStrip, useOutcome } from "../shell/do-button.tsx";
import { ListPage } from "../shell/list-page.tsx";

const STATES: Readonly<Record<Order["status"], { tone: Tone; word: string }>> = {
  open: { tone: "waiting", word: "Open" },
  executed: { tone: "ok", word: "Executed" },
  cancelled: { tone: "waiting", word: "Cancelled" },
};

export function Orders() {
  const { data, error, refetch } = useOrders();
  const { role } = useMe();
  const [isImporting, setImporting] = useState(false);
  return (
    <>
      <ListPage
        title="Orders"
        icon="orders"
        rows={data}
        error={error}
        onRetry={() => void refetch()}
        columns={COLUMNS}
        rowKey={({ id }) => String(id)}
        rowLabel={({ reference }) => reference}
        phone={(order) => ({
          first: order.reference,
          second: `${order.username ?? ""} · ${order.isin ?? ""}`,
          aside: <OrderState order={order} />,
        })}
        empty={{
          title: "No orders.",
          text: "Import the orders that your people placed; Postroom matches each trade with its order.",
        }}
        actions={
          mayCall(role, "importOrders") && (
            <Button size="small" icon="upload" onClick={() => setImporting(true)}>
              Import CSV
            </Button>
          )
        }
      />
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  );
}

function OrderState({ order }: { order: Order }) {
  const { tone, word } = STATES[order.status];
  return <State tone={tone}>{word}</State>;
}

/** All or nothing: what would change is shown first, and errors name their lines. */
function ImportDialog({ onClose }: { onClose: () => void }) {
  const [csv, setCsv] = useState<string | null>(null);
  const [count, setCount] = useState<number | null>(null);
  const { outcome, run } = useOutcome();
  const read = (file: File | undefined) => {
    setCount(null);
    if (file === undefined) return;
    void run(async () => {
      const text = await file.text();
      const { orders } = await importOrders(text, true);
      setCsv(text);
      setCount(Number(orders));
      return `${plural(Number(orders), "order")} would be written. Nothing has changed yet.`;
    });
  };
  const send = () =>
    run(async () => {
      await importOrders(csv!, false);
      onClose();
      return "Imported.";
    });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Import orders"
      actions={
        <Button
          kind="primary"
          disabled={count === null || outcome.kind === "busy"}
          onClick={() => void send()}
        >
          {count === null ? "Import" : `Import ${formatCount(count)}`}
        </Button>
      }
    >
      <label className="mb-4 block">
        <span className="mb-1 block text-label font-medium text-text-2">CSV file</span>
        <input
          type="file"
          accept=".csv,text/csv"
          onChange={(event) => read(event.target.files?.[0])}
        />
      </label>
      <div className="whitespace-pre-line">
        <OutcomeStrip outcome={outcome} />
      </div>
    </Dialog>
  );
}

const COLUMNS: readonly Column<Order>[] = [
  { key: "reference", head: "Reference", width: 160, cell: ({ reference }) => reference },
  { key: "person", head: "Person", cell: ({ username }) => username ?? "–" },
  {
    key: "side",
    head: "Side",
    width: 48,
    cell: ({ direction }) => (direction === "BUY" ? "Buy" : direction === "SELL" ? "Sell" : "–"),
  },
  {
    key: "quantity",
    head: "Quantity",
    width: 96,
    align: "right",
    cell: ({ quantity }) => (quantity === null ? "–" : formatNumber(quantity)),
  },
  {
    key: "isin",
    head: "Security",
    width: 144,
    from: 560,
    cell: (row) => row.isin ?? row.ticker ?? "–",
  },
  { key: "state", head: "State", width: 112, cell: (order) => <OrderState order={order} /> },
];
