/** Why: one line, with the last three reasons one key away. */
import { useState } from "react";
import { Button, Key } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field } from "../../design/field.tsx";

const recent: string[] = [];
const RECENT_MAX = 3;

export function ReasonDialog({
  title,
  action,
  onClose,
  onReason,
}: {
  title: string;
  action: string;
  onClose: () => void;
  onReason: (reason: string) => void;
}) {
  const [text, setText] = useState("");
  const send = (reason: string) => {
    const trimmed = reason.trim();
    if (trimmed === "") return;
    recent.splice(
      0,
      recent.length,
      ...[trimmed, ...recent.filter((each) => each !== trimmed)].slice(0, RECENT_MAX),
    );
    onReason(trimmed);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      onSubmit={() => send(text)}
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" kind="primary" disabled={text.trim() === ""}>
            {action}
          </Button>
        </>
      }
    >
      <Field
        label="Reason"
        hint="Kept with the decision."
        value={text}
        maxLength={500}
        autoFocus
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          const known =
            text === "" && /^[1-3]$/.test(event.key) ? recent[Number(event.key) - 1] : undefined;
          if (known !== undefined) {
            event.preventDefault();
            send(known);
          }
        }}
      />
      {recent.map((reason, index) => (
        <button
          key={reason}
          type="button"
          onClick={() => send(reason)}
          className="flex w-full items-center gap-2 rounded-control px-2 py-1 text-left hover:bg-sunken"
        >
          <Key>{index + 1}</Key> {reason}
        </button>
      ))}
    </Dialog>
  );
}
