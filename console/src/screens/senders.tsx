/** Approved senders: their notes may be booked without a question. */
import { useState } from "react";
import { approveSender, revokeSender, type Sender, useSenders } from "../data/books.ts";
import { Button } from "../design/button.tsx";
import { KeyValues } from "../design/card.tsx";
import { Dialog, Drawer } from "../design/dialog.tsx";
import { Field } from "../design/field.tsx";
import { formatDay } from "../design/format.ts";
import type { Column } from "../design/table.tsx";
import { Ago } from "../design/values.tsx";
import { mayCall } from "../session/roles.ts";
import { useMe } from "../session/use-me.ts";
import { DoButton, OutcomeStrip, useOutcome } from "../shell/do-button.tsx";
import { ListPage } from "../shell/list-page.tsx";

export function Senders() {
  const { data, error, refetch } = useSenders();
  const { role } = useMe();
  const [openPattern, setOpenPattern] = useState<string>();
  const [isApproving, setApproving] = useState(false);
  const open = data?.find(({ pattern }) => pattern === openPattern);
  return (
    <>
      <ListPage
        title="Senders"
        icon="people"
        rows={data}
        error={error}
        onRetry={() => void refetch()}
        columns={COLUMNS}
        rowKey={({ pattern }) => pattern}
        rowLabel={({ pattern }) => pattern}
        phone={({ pattern, approvedBy, approvedAt }) => ({
          first: pattern,
          second: approvedBy,
          aside: <Ago at={approvedAt} />,
        })}
        selected={openPattern}
        onOpen={({ pattern }) => setOpenPattern(pattern)}
        empty={{
          title: "No sender is approved yet.",
          text: "Until you approve one, every note becomes a question.",
        }}
        actions={
          mayCall(role, "approveSender") && (
            <Button size="small" icon="plus" onClick={() => setApproving(true)}>
              Approve sender
            </Button>
          )
        }
        drawer={open && <SenderDrawer sender={open} onClose={() => setOpenPattern(undefined)} />}
      />
      {isApproving && <ApproveDialog onClose={() => setApproving(false)} />}
    </>
  );
}

function SenderDrawer({ sender, onClose }: { sender: Sender; onClose: () => void }) {
  const { outcome, run } = useOutcome();
  const { role } = useMe();
  return (
    <Drawer title={sender.pattern} onClose={onClose}>
      <KeyValues
        rows={[
          ["Approved by", sender.approvedBy],
          ["When", <Ago at={sender.approvedAt} />],
          ["Until", sender.until === null ? "no end date" : formatDay(sender.until)],
        ]}
      />
      {mayCall(role, "revokeSender") && (
        <div className="border-border border-t p-4">
          <p className="mb-3 text-text-2">
            After you revoke the approval, notes from this sender become questions. Booked trades
            stay.
          </p>
          <DoButton
            kind="danger"
            outcome={outcome}
            onDo={() =>
              void run(async () => {
                await revokeSender(sender.pattern);
                return "Revoked.";
              })
            }
          >
            Revoke
          </DoButton>
          <OutcomeStrip outcome={outcome} />
        </div>
      )}
    </Drawer>
  );
}

function ApproveDialog({ onClose }: { onClose: () => void }) {
  const [sender, setSender] = useState("");
  const [until, setUntil] = useState("");
  const { outcome, run } = useOutcome();
  const approve = () =>
    run(async () => {
      await approveSender(sender.trim(), until || null);
      onClose();
      return "Approved.";
    });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Approve a sender"
      onSubmit={() => void approve()}
      actions={
        <Button
          type="submit"
          kind="primary"
          disabled={sender.trim().length < 3 || outcome.kind === "busy"}
        >
          Approve
        </Button>
      }
    >
      <Field
        label="Address or domain"
        autoFocus
        hint="notes@broker.example, or @broker.example for all of its addresses"
        value={sender}
        onChange={(event) => setSender(event.target.value)}
      />
      <Field
        label="Until"
        type="date"
        hint="Leave empty for an approval without an end date."
        value={until}
        onChange={(event) => setUntil(event.target.value)}
      />
      <OutcomeStrip outcome={outcome} />
    </Dialog>
  );
}

const COLUMNS: readonly Column<Sender>[] = [
  { key: "pattern", head: "Sender", cell: ({ pattern }) => pattern },
  { key: "by", head: "Approved by", width: 280, from: 720, cell: ({ approvedBy }) => approvedBy },
  {
    key: "until",
    head: "Until",
    width: 104,
    from: 560,
    cell: ({ until }) => (until === null ? "–" : formatDay(until)),
  },
  {
    key: "at",
    head: "Approved",
    width: 104,
    align: "right",
    cell: ({ approvedAt }) => <Ago at={approvedAt} />,
  },
];
