import { useState } from "react";
import { Button, Key } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import type { Page } from "./pages.ts";
import { areShortcutsOn, setShortcuts } from "./shortcuts.ts";

const EVERYWHERE: readonly (readonly [keys: string, what: string])[] = [
  ["Ctrl K", "Search or jump to"],
  ["/", "Go to the text box"],
  ["j k", "Next or previous row"],
  ["Enter", "Open"],
  ["y", "Copy the link to this page"],
  ["Esc", "Back to the list"],
  ["?", "This help"],
];
const QUESTION: readonly (readonly [keys: string, what: string])[] = [
  ["↑ ↓ Tab", "Move between fields"],
  ["Enter", "Edit a field, then save it"],
  ["1–9", "Choose another value"],
  ["a", "Hold: show where every value is"],
  ["+ − 0", "Zoom"],
  ["[ ]", "Previous or next page"],
  ["w", "Type the password of a locked file"],
  ["j k", "Next or previous question"],
  ["q", "Back to the queue"],
];
const ANSWERS: readonly (readonly [keys: string, what: string])[] = [
  ["c", "Confirm"],
  ["r", "Reject"],
  ["n", "Not a contract note"],
  ["s", "Split"],
  ["l", "Same trade as the booked one"],
  ["o", "Show the other note"],
  ["p", "Approve the sender"],
  ["u", "Undo the last answer"],
];

export function KeysDialog({
  isOpen,
  onClose,
  pages,
}: {
  isOpen: boolean;
  onClose: () => void;
  pages: readonly Page[];
}) {
  const [isOn, setOn] = useState(areShortcutsOn());
  const jumps = pages.flatMap(({ key, title }) =>
    key === undefined ? [] : [[`g ${key}`, title] as const],
  );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keys">
      <div className="grid gap-6 sm:grid-cols-2">
        <KeyList title="Everywhere" keys={EVERYWHERE} />
        <KeyList title="Go to" keys={jumps} />
        {pages.some(({ path }) => path === "/review") && (
          <>
            <KeyList title="In a question" keys={QUESTION} />
            <KeyList title="Answers" keys={ANSWERS} />
          </>
        )}
      </div>
      <div className="mt-6 flex items-center gap-3 border-border border-t pt-4 text-text-2">
        <span className="flex-1">
          Keys are {isOn ? "on" : "off"}. They are silent while you type.
        </span>
        <Button
          onClick={() => {
            setShortcuts(!isOn);
            setOn(!isOn);
          }}
        >
          {isOn ? "Turn off" : "Turn on"}
        </Button>
      </div>
    </Dialog>
  );
}

function KeyList({
  title,
  keys,
}: {
  title: string;
  keys: readonly (readonly [keys: string, what: string])[];
}) {
  return (
    <section>
      <h3 className="mb-2 text-label font-medium text-text-2">{title}</h3>
      <dl className="grid grid-cols-[80px_minmax(0,1fr)] gap-x-2 gap-y-1.5">
        {keys.map(([names, what]) => (
          <div key={names} className="contents">
            <dt className="flex h-5 items-center gap-1">
              {names.split(" ").map((name) => (
                <Key key={name}>{name}</Key>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
