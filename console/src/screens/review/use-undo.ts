import { useNavigate } from "@tanstack/react-router";
import { type Answer, lastUndoable, undo, useAnswers } from "./answers.ts";

/** The answers of this sitting, and how to take the last one back: its question is opened again. */
export function useUndo(): {
  readonly answers: readonly Answer[];
  readonly undoable: Answer | undefined;
  readonly undo: () => void;
} {
  const answers = useAnswers();
  const navigate = useNavigate();
  const undoable = lastUndoable(answers);
  return {
    answers,
    undoable,
    undo: () => {
      if (undoable === undefined) return;
      void undo(undoable).then((reopenedId) => {
        if (reopenedId !== null)
          void navigate({ to: "/review/$id", params: { id: String(reopenedId) } });
      });
    },
  };
}
