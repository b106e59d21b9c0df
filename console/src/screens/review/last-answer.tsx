import { Link } from "@tanstack/react-router";
import { Button } from "../../design/button.tsx";
import { StateIcon } from "../../design/state.tsx";
import { type Answer, lastUndoable, undo } from "./answers.ts";

const DONE: Readonly<Record<Answer["action"], string>> = {
  accept: "Confirmed",
  correct: "Confirmed",
  reject: "Rejected",
  "not-a-note": "Not a note",
  split: "Split",
  link: "Linked",
  "approve-sender": "Confirmed, sender approved",
};

/** Shows "Sending" until the job has applied the answer. */
export function LastAnswer({ answers }: { answers: readonly Answer[] }) {
  const [last] = answers;
  if (last === undefined) return null;
  const undoable = lastUndoable(answers);
  const failed = answers.filter(({ state }) => state === "failed");
  return (
    <span role="status" className="hidden min-w-0 items-center gap-2 md:flex">
      {failed.length > 0 ? (
        <>
          <StateIcon tone="failed" />
          <Link
            to="/review/$id"
            params={{ id: String(failed[0]!.id) }}
            className="truncate text-failed underline"
          >
            Not booked: {failed[0]!.label}
          </Link>
        </>
      ) : (
        <>
          <StateIcon tone={last.state === "sending" ? "waiting" : "ok"} />
          <span className="max-w-56 truncate">
            {last.state === "sending"
              ? "Sending"
              : last.state === "undone"
                ? "Undone"
                : DONE[last.action]}{" "}
            {last.label}
          </span>
        </>
      )}
      {undoable !== undefined && (
        <Button size="small" kind="quiet" shortcut="U" onClick={() => void undo(undoable)}>
          Undo
        </Button>
      )}
    </span>
  );
}
