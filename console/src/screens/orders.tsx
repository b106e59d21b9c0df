/** Orders: the trades that people are expected to make. */
import { useState } from "react";
import {
  importOrders,
  type Order,
  type OrderImport,
  previewOrders,
  useOrders,
} from "../data/books.ts";
import { Button, FileButton } from "../design/button.tsx";
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
          second: [order.username, order.isin].filter(Boolean).join(" · ") || "–",
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
  const [file, setFile] = useState<{ csv: string; preview: OrderImport } | null>(null);
  const [name, setName] = useState<string | null>(null);
  const { outcome, run } = useOutcome();
  const read = (chosen: File | undefined) => {
    if (chosen === undefined) return;
    setFile(null);
    setName(chosen.name);
    void run(async () => {
      const csv = await chosen.text();
      const preview = await previewOrders(csv);
      setFile({ csv, preview });
      return textOf(preview);
    });
  };
  const send = () =>
    run(async () => {
      await importOrders(file!.csv);
      onClose();
      return "Imported.";
    });
  const count = file === null ? 0 : file.preview.added + file.preview.changed;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Import orders"
      actions={
        <Button
          kind="primary"
          disabled={count === 0 || outcome.kind === "busy"}
          onClick={() => void send()}
        >
          {count === 0 ? "Import" : `Import ${formatCount(count)}`}
        </Button>
      }
    >
      <FileButton accept=".csv,text/csv" onFiles={([chosen]) => read(chosen)}>
        {name ?? "Choose a CSV file"}
      </FileButton>
      <div className="mt-4 whitespace-pre-line empty:hidden">
        <OutcomeStrip outcome={outcome} />
      </div>
      {file !== null && <ImportPreview preview={file.preview} />}
    </Dialog>
  );
}

const textOf = ({ added, changed, unchanged }: OrderImport): string =>
  added + changed === 0
    ? `${plural(unchanged, "order")}, all unchanged. There is nothing to import.`
    : `${formatCount(added)} would be added, ${formatCount(changed)} changed, ${formatCount(unchanged)} stay as they are. Nothing is written yet.`;

function ImportPreview({ preview: { changes, added, changed } }: { preview: OrderImport }) {
  const more = added + changed - changes.length;
  return (
    <>
      <ul aria-label="What would change" className="mt-2">
        {changes.map(({ reference, change, fields }) => (
          <li key={reference} className="flex gap-4 border-border border-b py-1.5 last:border-b-0">
            <span className="w-40 shrink-0 break-words font-medium">{reference}</span>
            <span className="min-w-0 break-words text-text-2">
              {change === "added" ? "new" : fields.map(fieldWords).join(", ")}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="pt-2 text-text-2">And {formatCount(more)} more.</p>}
    </>
  );
}

const fieldWords = ({ name, from, to }: OrderImport["changes"][number]["fields"][number]): string =>
  `${FIELD_WORDS[name] ?? name} ${from ?? "–"} → ${to ?? "–"}`;

const FIELD_WORDS: Readonly<Record<string, string>> = {
  username: "person",
  userEmail: "e-mail",
  holderName: "holder",
  direction: "side",
  isin: "ISIN",
  sedol: "SEDOL",
  cusip: "CUSIP",
  limitPrice: "limit",
  placedOn: "placed on",
  validUntil: "valid until",
  status: "state",
};

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
