import { useState } from "react";
import { askToConnect } from "../../data/mailboxes.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field } from "../../design/field.tsx";
import { OutcomeStrip, useOutcome } from "../../shell/do-button.tsx";

/** Gives an operator the URL at which somebody else signs in. */
export function AskDialog({ onClose }: { onClose: () => void }) {
  const [address, setAddress] = useState("");
  const [url, setUrl] = useState<string | null>(null);
  const { outcome, run } = useOutcome();
  const ask = () =>
    run(async () => {
      setUrl(await askToConnect(address.trim()));
      return `Only ${address.trim()} can use this page, once, within ten minutes.`;
    });
  const copy = (text: string) =>
    run(async () => {
      await navigator.clipboard.writeText(text);
      return "Copied. It works once, within ten minutes.";
    });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Ask somebody to connect their mailbox"
      onSubmit={() => void (url === null ? ask() : copy(url))}
      actions={
        url === null ? (
          <Button
            type="submit"
            kind="primary"
            disabled={!/^\S+@\S+$/.test(address.trim()) || outcome.kind === "busy"}
          >
            Make the page
          </Button>
        ) : (
          <Button type="submit" kind="primary" icon="copy">
            Copy its address
          </Button>
        )
      }
    >
      <Field
        label="Address"
        autoFocus
        hint="The address that the person signs in with."
        value={address}
        readOnly={url !== null}
        onChange={(event) => setAddress(event.target.value)}
      />
      {url !== null && (
        <code className="mb-3 block truncate rounded-control bg-sunken p-2 font-mono text-label">
          {url}
        </code>
      )}
      <OutcomeStrip outcome={outcome} />
    </Dialog>
  );
}
