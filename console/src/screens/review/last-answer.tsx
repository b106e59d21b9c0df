import { Link } from "@tanstack/react-router";
import { Button } from "../../design/button.tsx";
import { StateIcon } from "../../design/state.tsx";
import { useIsPhone } from "../../design/use-is-phone.ts";
import type { Answer } from "./answers.ts";

const WORDS: Readonly<Record<Answer["action"], readonly [going: string, done: string]>> = {
  accept: ["Confirming", "Confirmed"],
  correct: ["Confirming", "Confirmed"],
  reject: ["Rejecting", "Rejected"],
  "not-a-note": ["Setting aside", "Not a note:"],
  split: ["Splitting", "Split"],
  link: ["Linking", "Linked"],
  "approve-sender": ["Confirming", "Confirmed, sender approved:"],
};

interface LastAnswerProps {
  readonly answers: readonly Answer[];
  readonly undoable: Answer | undefined;
  readonly onUndo: () => void;
}

/** In the top bar; on a phone, where the bar has no room, in a line below it. */
export function LastAnswer(props: LastAnswerProps & { place: "bar" | "line" }) {
  const isPhone = useIsPhone();
  if (isPhone !== (props.place === "line")) return null;
  if (!isPhone) return <Told {...props} />;
  return (
    <div className="shrink-0 border-border border-b px-4 py-1 empty:hidden">
      <Told {...props} />
    </div>
  );
}

/** Says "Confirming" until the job has really done it. */
function Told({ answers, undoable, onUndo }: LastAnswerProps) {
  const [last] = answers;
  if (last === undefined) return null;
  const failed = answers.find(({ state }) => state === "failed");
  return (
    <span role="status" className="flex min-w-0 items-center gap-2">
      {failed === undefined ? (
        <Ended answer={last} />
      ) : (
        <>
          <StateIcon tone="failed" />
          <Link
            to="/review/$id"
            params={{ id: String(failed.id) }}
            className="truncate text-failed underline"
          >
            Not booked: {failed.label}
          </Link>
        </>
      )}
      {undoable !== undefined && (
        <Button size="small" kind="quiet" shortcut="U" onClick={onUndo}>
          Undo
        </Button>
      )}
    </span>
  );
}

function Ended({ answer: { action, state, label, why } }: { answer: Answer }) {
  if (state === "done" && why !== null)
    return (
      <>
        <StateIcon tone="failed" />
        <span title={why} className="max-w-80 truncate text-failed">
          Not undone: {why}
        </span>
      </>
    );
  const isGoing = state === "sending" || state === "undoing";
  const word =
    state === "undoing"
      ? "Undoing"
      : state === "undone"
        ? "Undone"
        : WORDS[action][isGoing ? 0 : 1];
  return (
    <>
      <StateIcon tone={isGoing ? "waiting" : "ok"} />
      <span className="max-w-56 truncate">
        {word} {label}
      </span>
    </>
  );
}
