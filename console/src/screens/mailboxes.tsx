/** Every watched mailbox: does mail flow, how do changes reach us, and what fixes it if they do not? */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  addMailbox,
  connectOwnMailbox,
  seeNotice,
  useMailboxes,
  useNotices,
} from "../data/mailboxes.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Strip } from "../design/feedback.tsx";
import { Field } from "../design/field.tsx";
import { Ago } from "../design/values.tsx";
import { mayCall } from "../session/roles.ts";
import { useMe } from "../session/use-me.ts";
import { OutcomeStrip, useOutcome } from "../shell/do-button.tsx";
import { ListPage } from "../shell/list-page.tsx";
import { deliveryOf, MAILBOX_COLUMNS, MailboxState, stateOf } from "./overview/mailbox-summary.tsx";

const RANK = { unreachable: 0, paused: 1, active: 2 } as const;

export function Mailboxes() {
  const { data, error, refetch } = useMailboxes();
  const navigate = useNavigate();
  const { role } = useMe();
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <Notices />
      <ListPage
        title="Mailboxes"
        icon="mailboxes"
        rows={data && [...data].sort((a, b) => RANK[a.status] - RANK[b.status])}
        error={error}
        onRetry={() => void refetch()}
        columns={MAILBOX_COLUMNS}
        rowKey={({ address }) => address}
        rowLabel={({ address, status }) => `${address}, ${stateOf(status).word}`}
        onOpen={({ address }) => void navigate({ to: "/mailboxes/$address", params: { address } })}
        phone={(mailbox) => ({
          first: mailbox.address,
          second: (
            <>
              {deliveryOf(mailbox)} · <Ago at={mailbox.lastEventAt} />
            </>
          ),
          aside: <MailboxState status={mailbox.status} />,
        })}
        empty={{ title: "No mailbox is watched.", text: "Add the first one." }}
        actions={
          <>
            <Button size="small" onClick={() => void connectOwnMailbox()}>
              Connect my mailbox
            </Button>
            {mayCall(role, "addMailbox") && (
              <Button kind="primary" size="small" icon="plus" onClick={() => setAdding(true)}>
                <span>
                  Add<span className="max-md:hidden"> mailbox</span>
                </span>
              </Button>
            )}
          </>
        }
      />
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </>
  );
}

/** A consent that has ended: the person reads why, and connects the mailbox again. */
function Notices() {
  const { data } = useNotices();
  return data?.map(({ id, text }) => (
    <Strip key={id} tone="failed">
      {text}{" "}
      <Button size="small" onClick={() => void seeNotice(id)}>
        Seen
      </Button>
    </Strip>
  ));
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const [address, setAddress] = useState("");
  const [folder, setFolder] = useState("");
  const { outcome, run } = useOutcome();
  const add = () =>
    run(async () => {
      await addMailbox({ address: address.trim(), ingestFolder: folder.trim() || null });
      onClose();
      return "Added.";
    });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add a mailbox"
      actions={
        <Button
          kind="primary"
          disabled={!/^\S+@\S+$/.test(address.trim()) || outcome.kind === "busy"}
          onClick={() => void add()}
        >
          Check and add
        </Button>
      }
    >
      <Field
        label="Address"
        hint="Postroom adds the mailbox only if it is allowed to read it."
        value={address}
        onChange={(event) => setAddress(event.target.value)}
      />
      <Field
        label="Folder with contract notes"
        hint="Leave empty to record events only."
        value={folder}
        onChange={(event) => setFolder(event.target.value)}
      />
      <OutcomeStrip outcome={outcome} />
    </Dialog>
  );
}
