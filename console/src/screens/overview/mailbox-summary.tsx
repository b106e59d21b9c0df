/** One line per mailbox; trouble first. */
import { Link, useNavigate } from "@tanstack/react-router";
import type { Mailbox } from "../../data/mailboxes.ts";
import { Card } from "../../design/card.tsx";
import { Empty } from "../../design/feedback.tsx";
import { formatCount, formatSeconds } from "../../design/format.ts";
import { State, type Tone } from "../../design/state.tsx";
import { type Column, Table } from "../../design/table.tsx";
import { Ago, useNow } from "../../design/values.tsx";

const RANK = { unreachable: 0, paused: 1, active: 2 } as const;

export function MailboxSummary({ mailboxes }: { mailboxes: readonly Mailbox[] }) {
  const navigate = useNavigate();
  const rows = [...mailboxes].sort((a, b) => RANK[a.status] - RANK[b.status]);
  return (
    <Card
      title="Mailboxes"
      count={formatCount(mailboxes.length)}
      action={
        <Link to="/mailboxes" className="font-medium text-text-2 hover:text-text">
          All mailboxes
        </Link>
      }
    >
      {rows.length === 0 ? (
        <Empty icon="mailboxes" title="No mailbox is watched.">
          Add one with <code className="font-mono text-label">postroom mailbox add</code>.
        </Empty>
      ) : (
        <Table
          label="Mailboxes"
          rows={rows}
          {...MAILBOX_ROWS}
          onOpen={({ address }) =>
            void navigate({ to: "/mailboxes/$address", params: { address } })
          }
        />
      )}
    </Card>
  );
}

function stateOf(status: Mailbox["status"]): { tone: Tone; word: string } {
  return {
    active: { tone: "ok", word: "Flowing" } as const,
    paused: { tone: "waiting", word: "Paused" } as const,
    unreachable: { tone: "failed", word: "Unreachable" } as const,
  }[status];
}

export function MailboxState({ status }: { status: Mailbox["status"] }) {
  const { tone, word } = stateOf(status);
  return <State tone={tone}>{word}</State>;
}

export function deliveryOf({ delivery, status }: Mailbox): string {
  if (status === "unreachable") return "–";
  return { push: "Push", delta: "Delta", poll: "Every minute" }[delivery];
}

const MAILBOX_COLUMNS: readonly Column<Mailbox>[] = [
  { key: "address", head: "Address", cell: ({ address }) => address },
  {
    key: "state",
    head: "State",
    width: 112,
    cell: ({ status }) => <MailboxState status={status} />,
  },
  { key: "delivery", head: "Delivery", width: 96, cell: deliveryOf, from: 560 },
  {
    key: "push",
    head: "By push",
    width: 64,
    align: "right",
    from: 880,
    cell: ({ coverage }) =>
      coverage?.pushCoverage == null ? "–" : `${Math.floor(coverage.pushCoverage * 100)} %`,
  },
  {
    key: "lag",
    head: "Lag",
    width: 64,
    align: "right",
    from: 720,
    cell: ({ coverage }) =>
      coverage?.medianSeconds == null ? "–" : `${formatSeconds(coverage.medianSeconds)} s`,
  },
  {
    key: "last",
    head: "Last event",
    width: 104,
    align: "right",
    cell: ({ lastEventAt }) => <Ago at={lastEventAt} />,
  },
  {
    key: "expires",
    head: "Expires",
    width: 96,
    align: "right",
    from: 720,
    cell: ({ subscription }) => <Expiry at={subscription?.expiresAt ?? null} />,
  },
  {
    key: "audit",
    head: "Audit",
    width: 96,
    from: 1040,
    cell: ({ lastAudit }) =>
      lastAudit === null ? (
        "–"
      ) : lastAudit.findings === 0 ? (
        <span className="text-text-2">No differences</span>
      ) : (
        <State tone="failed">{`${formatCount(lastAudit.findings)} differ`}</State>
      ),
  },
];

/** A subscription that has ended brings nothing any more; delta finds its mail until it is renewed. */
function Expiry({ at }: { at: string | null }) {
  const now = useNow();
  if (at !== null && Date.parse(at) < now.getTime()) return <State tone="attention">Overdue</State>;
  return <Ago at={at} />;
}

/** How every list of mailboxes shows its rows. */
export const MAILBOX_ROWS = {
  columns: MAILBOX_COLUMNS,
  rowKey: ({ address }: Mailbox) => address,
  rowLabel: ({ address, status }: Mailbox) => `${address}, ${stateOf(status).word}`,
  phone: (mailbox: Mailbox) => ({
    first: mailbox.address,
    second: (
      <>
        {deliveryOf(mailbox)} · <Ago at={mailbox.lastEventAt} />
      </>
    ),
    aside: <MailboxState status={mailbox.status} />,
  }),
} as const;
