/** The page of one question: its place in the queue, what became of the last answer, and the next question at once. */
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { preload, useQuestion, useReviews } from "../../data/reviews.ts";
import { Key } from "../../design/button.tsx";
import { Loading } from "../../design/feedback.tsx";
import { Ago } from "../../design/values.tsx";
import { Failure } from "../../shell/failure.tsx";
import { PageFrame } from "../../shell/page-frame.tsx";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { type Answer, answer } from "./answers.ts";
import { Decided } from "./decided.tsx";
import { LastAnswer } from "./last-answer.tsx";
import { QuestionView } from "./question-view.tsx";
import { useUndo } from "./use-undo.ts";

const AHEAD = 2;

export function QuestionPage() {
  const id = Number((useParams({ strict: false }) as { id: string }).id);
  const question = useQuestion(id);
  const { answers, undoable, undo } = useUndo();
  const navigate = useNavigate();
  const { open, at, next } = useOpenQuestions(id, answers);
  const go = (to: number | undefined) =>
    void navigate(
      to === undefined ? { to: "/review" } : { to: "/review/$id", params: { id: String(to) } },
    );
  useShortcuts({
    j: () => go(open[at + 1]?.id ?? id),
    k: () => go(open[at - 1]?.id ?? id),
    q: () => go(undefined),
    ...(undoable === undefined ? {} : { u: undo }),
  });
  const { document } = question.data ?? {};
  return (
    <PageFrame
      title={document?.filename ?? `Question ${id}`}
      count={open.length}
      crumbs={[
        <Link key="review" to="/review">
          Review
        </Link>,
      ]}
      note={
        document && (
          <>
            {document.senderEmail}, <Ago at={document.receivedAt} />
          </>
        )
      }
      fill
      actions={
        <>
          <LastAnswer place="bar" answers={answers} undoable={undoable} onUndo={undo} />
          <span className="tabular whitespace-nowrap text-text-2">
            {at === -1 ? "" : `${at + 1} of ${open.length}`}
          </span>
          <QueueLink />
        </>
      }
    >
      <LastAnswer place="line" answers={answers} undoable={undoable} onUndo={undo} />
      {question.data === undefined ? (
        question.error ? (
          <Failure error={question.error} onRetry={() => void question.refetch()} />
        ) : (
          <Loading what="the question" rows={14} />
        )
      ) : question.data.status !== "open" ? (
        <Decided question={question.data} onNext={() => go(next)} />
      ) : (
        <QuestionView
          key={id}
          question={question.data}
          failure={answers.find((done) => done.id === id && done.state === "failed")?.why ?? null}
          onAnswer={(decision, label) => {
            void answer(id, label, decision);
            go(next);
          }}
        />
      )}
    </PageFrame>
  );
}

/** The questions that are still open, and the place of this one among them; the following ones are loaded ahead. */
function useOpenQuestions(id: number, answers: readonly Answer[]) {
  const queue = useReviews();
  const isAnswered = (each: number) =>
    answers.some((done) => done.id === each && (done.state === "sending" || done.state === "done"));
  const open = (queue.data?.reviews ?? []).filter((row) => !isAnswered(row.id));
  const at = open.findIndex((row) => row.id === id);
  const next = open[at + 1]?.id ?? open.find((row) => row.id !== id)?.id;
  const nextIds = open.slice(at + 1, at + 1 + AHEAD).map((row) => row.id);
  const aheadKey = nextIds.join();
  useEffect(() => {
    if (aheadKey !== "") preload(aheadKey.split(",").map(Number));
  }, [aheadKey]);
  return { open, at, next };
}

function QueueLink() {
  return (
    <Link
      to="/review"
      className="inline-flex h-7 items-center gap-2 rounded-control px-2 text-text-2 hover:bg-sunken"
    >
      Queue
      <span className="max-md:hidden">
        <Key>Q</Key>
      </span>
    </Link>
  );
}
