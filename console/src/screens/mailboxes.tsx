/** Every watched mailbox: does mail flow, how do changes reach us, and what fixes it if they do not? */
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { addMailbox, useMailboxes } from "../data/mailboxes.ts";
import { Button, buttonLook } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Field } from "../design/field.tsx";
import { mayCall } from "../session/roles.ts";
import { useMe } from "../session/use-me.ts";
import { OutcomeStrip, useOutcome } from "../shell/do-button.tsx";
import { ListPage } from "../shell/list-page.tsx";
import { Notices } from "./mailboxes/notices.tsx";
import { MAILBOX_ROWS } from "./overview/mailbox-summary.tsx";

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
        {...MAILBOX_ROWS}
        onOpen={({ address }) => void navigate({ to: "/mailboxes/$address", params: { address } })}
        empty={{ title: "No mailbox is watched.", text: "Add the first one." }}
        actions={
          <>
            <Link to="/my-mailbox" className={buttonLook("plain", "small")}>
              My mailbox
            </Link>
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

function AddDialog({ onClose }: { onClose: () => void }) {
  const [address, setAddress] = useState("");
  const [folder, setFolder] = useState("");
  const { outcome, run } = useOutcome();
  const add = () =>
    run(async () => {
      await addMailbox({ address: address.trim(), ingestFolder: folder.trim() || null });
      onClose();
      return "Added.";
    }, "Checking access");
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add a mailbox"
      onSubmit={() => void add()}
      actions={
        <Button
          type="submit"
          kind="primary"
          disabled={!/^\S+@\S+$/.test(address.trim()) || outcome.kind === "busy"}
        >
          Check and add
        </Button>
      }
    >
      <Field
        label="Address"
        autoFocus
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
