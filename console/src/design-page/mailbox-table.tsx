import { useState } from "react";
import { Card } from "../design/card.tsx";
import { State, type Tone } from "../design/state.tsx";
import { type Column, Table } from "../design/table.tsx";

interface Row {
  readonly address: string;
  readonly tone: Tone;
  readonly state: string;
  readonly lag: string;
}

const ROWS: readonly Row[] = [
  { address: "lobby.kiosk@ashdown.example", tone: "failed", state: "Unreachable", lag: "–" },
  { address: "operations@ashdown.example", tone: "ok", state: "Flowing", lag: "0.42 s" },
  { address: "nina.berg@ashdown.example", tone: "waiting", state: "Paused", lag: "–" },
];

const COLUMNS: readonly Column<Row>[] = [
  { key: "address", head: "Address", cell: (row) => row.address },
  {
    key: "state",
    head: "State",
    width: 120,
    cell: (row) => <State tone={row.tone}>{row.state}</State>,
  },
  { key: "delivery", head: "Delivery", width: 80, from: 560, cell: () => "Push" },
  { key: "lag", head: "Lag", width: 80, align: "right", from: 720, cell: (row) => row.lag },
];

export function MailboxTable() {
  const [selected, setSelected] = useState<string>();
  return (
    <Card title="Mailboxes" count={ROWS.length}>
      <Table
        label="Mailboxes"
        rows={ROWS}
        columns={COLUMNS}
        rowKey={(row) => row.address}
        rowLabel={(row) => `${row.address}, ${row.state}`}
        selected={selected}
        onOpen={(row) => setSelected(row.address)}
        phone={(row) => ({
          first: row.address,
          second: "Push",
          aside: <State tone={row.tone}>{row.state}</State>,
        })}
      />
    </Card>
  );
}
