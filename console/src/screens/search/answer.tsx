/** An answer and the passages that it comes from. Both are text from outside, and are shown as text. */
import { Link } from "@tanstack/react-router";
import {
  type Answer,
  type Citation,
  QUESTION_MIN,
  type SearchFilter,
  useAnswer,
} from "../../data/search.ts";
import { Button, buttonLook } from "../../design/button.tsx";
import { Card } from "../../design/card.tsx";
import { Empty, Loading, Strip } from "../../design/feedback.tsx";
import { toFragment } from "../../shell/lit.ts";
import { MissingWords, moveFocus, placeWords, SearchFailure, sentence } from "./results.tsx";

export function AskResult({ question, filter }: { question: string; filter: SearchFilter }) {
  const { data, error, refetch, isFetching } = useAnswer(question, filter);
  if (question.length < QUESTION_MIN)
    return (
      <Empty icon="search" title="Ask what your documents say.">
        The answer cites its sources. Open a citation to see the words on the page.
      </Empty>
    );
  if (isFetching) return <Loading what="the answer" rows={8} />;
  if (error) return <SearchFailure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  return (
    <>
      {data.degraded !== null && <Strip tone="attention">{sentence(data.degraded)}</Strip>}
      {data.kind !== "none" && <MissingWords words={data.missing} />}
      {data.kind === "none" ? (
        <NoEvidence question={question} />
      ) : (
        <div className="mx-auto grid max-w-[880px] grid-cols-[minmax(0,1fr)] gap-4 p-4 md:p-6">
          <AnswerCard answer={data} onAgain={() => void refetch()} />
          <Citations citations={data.citations} />
        </div>
      )}
    </>
  );
}

function NoEvidence({ question }: { question: string }) {
  return (
    <Empty icon="search" title="No document you can open answers this.">
      <p className="mb-3">Postroom answers only from passages that it can show you.</p>
      <Link to="/search" search={{ q: question }} className={buttonLook("plain")}>
        Search for these words
      </Link>
    </Empty>
  );
}

function AnswerCard({ answer, onAgain }: { answer: Answer; onAgain: () => void }) {
  const isModel = answer.kind === "model";
  return (
    <Card
      title={isModel ? "Answer" : "The best passages"}
      action={
        <Button size="small" kind="quiet" onClick={onAgain}>
          Ask again
        </Button>
      }
    >
      <div className="p-4" aria-live="polite">
        {isModel ? (
          <>
            <p className="whitespace-pre-wrap break-words text-prose">{answer.answer}</p>
            <p className="mt-3 text-label text-text-2">
              Written by a model from the passages below. Its figures occur in them; read them
              before you rely on it.
            </p>
          </>
        ) : (
          <p className="text-prose text-text-2">
            No model wrote an answer. These are the passages that match your question best.
          </p>
        )}
      </div>
    </Card>
  );
}

function Citations({ citations }: { citations: readonly Citation[] }) {
  return (
    <ol
      aria-label="Citations"
      onKeyDown={moveFocus}
      className="grid grid-cols-[minmax(0,1fr)] gap-3"
    >
      {citations.map((citation, index) => (
        <li
          key={`${citation.chunkId}-${citation.words}`}
          className="min-w-0 rounded-card border border-border bg-surface p-4 shadow-card focus-within:border-accent"
        >
          <div className="flex min-w-0 items-baseline gap-2">
            <span className="tabular text-text-2">{index + 1}</span>
            <Link
              data-row
              to="/documents/$id"
              params={{ id: citation.documentId }}
              search={citation.page === null ? {} : { page: String(citation.page) }}
              hash={toFragment([citation.words])}
              className="min-w-0 truncate font-semibold text-accent hover:underline"
            >
              {citation.name}
            </Link>
            <span className="shrink-0 text-label text-text-2">
              {placeWords(citation.name.split(".").at(-1)?.toLowerCase(), citation)}
            </span>
          </div>
          <blockquote className="mt-1 line-clamp-6 whitespace-pre-wrap break-words text-prose">
            “{citation.words.trim()}”
          </blockquote>
        </li>
      ))}
    </ol>
  );
}
