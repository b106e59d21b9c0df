/** One question: the page on the left, what was read on the right, the decision at the bottom. */
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import {
  type Question as Data,
  type Decision,
  preload,
  useNote,
  useQuestion,
  useReviews,
} from "../../data/reviews.ts";
import { Button, Key } from "../../design/button.tsx";
import { Empty, Loading, Strip } from "../../design/feedback.tsx";
import { capital, reasonWords } from "../../design/reason.ts";
import { StateIcon } from "../../design/state.tsx";
import { Ago } from "../../design/values.tsx";
import { PageView, type Region } from "../../pdf/page-view.tsx";
import { useMe } from "../../session/use-me.ts";
import { Failure } from "../../shell/failure.tsx";
import { PageFrame } from "../../shell/page-frame.tsx";
import type { Search } from "../../shell/search.ts";
import { useHeld, useShortcuts } from "../../shell/shortcuts.ts";
import { AnswerBar } from "./answer-bar.tsx";
import { answer, lastUndoable, undo, useAnswers } from "./answers.ts";
import { type Check, runChecks } from "./checks.ts";
import { setDraft, setText, useDraft } from "./drafts.ts";
import { FieldList } from "./field-list.tsx";
import { evidenceOf, FIELDS } from "./fields.ts";
import { GiveFile } from "./give-file.tsx";
import { LastAnswer } from "./last-answer.tsx";
import { OtherTrade } from "./other-trade.tsx";

const AHEAD = 2;

export function QuestionPage() {
  const id = Number((useParams({ strict: false }) as { id: string }).id);
  const question = useQuestion(id);
  const answers = useAnswers();
  const navigate = useNavigate();
  const { open, at, next } = useOpenQuestions(id, answers);
  const go = (to: number | undefined) =>
    void navigate(
      to === undefined ? { to: "/review" } : { to: "/review/$id", params: { id: String(to) } },
    );
  const last = lastUndoable(answers);
  useShortcuts({
    j: () => go(open[at + 1]?.id ?? id),
    k: () => go(open[at - 1]?.id ?? id),
    q: () => go(undefined),
    ...(last === undefined ? {} : { u: () => void undo(last) }),
  });
  const title = question.data?.document?.filename ?? `Question ${id}`;
  return (
    <PageFrame
      title={title}
      count={open.length}
      crumbs={[
        <Link key="review" to="/review">
          Review
        </Link>,
      ]}
      note={
        question.data?.document && (
          <>
            {question.data.document.senderEmail}, <Ago at={question.data.document.receivedAt} />
          </>
        )
      }
      fill
      actions={
        <>
          <LastAnswer answers={answers} />
          <span className="tabular hidden whitespace-nowrap text-text-2 sm:inline">
            {at === -1 ? "" : `${at + 1} of ${open.length}`}
          </span>
          <QueueLink />
        </>
      }
    >
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
function useOpenQuestions(id: number, answers: ReturnType<typeof useAnswers>) {
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

function Decided({ question, onNext }: { question: Data; onNext: () => void }) {
  const me = useMe();
  const who = question.decidedBy === me.id ? "You" : (question.decidedBy ?? "Somebody");
  return (
    <Empty icon="ok" title={`${who} answered this question.`}>
      <p className="mb-3">
        <Ago at={question.decidedAt} />
      </p>
      <Button kind="primary" onClick={onNext}>
        Next question
      </Button>
    </Empty>
  );
}

function QuestionView({
  question,
  failure,
  onAnswer,
}: {
  question: Data;
  /** Why the answer that was just given could not be sent. */
  failure: string | null;
  onAnswer: (decision: Decision, label: string) => void;
}) {
  const { id, line, document } = question;
  const { facts: draft, texts } = useDraft(id);
  const search = useSearch({ strict: false }) as Search;
  const read = useMemo(() => line?.facts ?? {}, [line]);
  const facts = useMemo(() => ({ ...read, ...draft }), [read, draft]);
  const checks = runChecks(facts);
  const [focusKey, setFocusKey] = useState(
    () => search["field"] ?? firstField(runChecks(read), question),
  );
  const failing = checks.filter(({ isHolding }) => !isHolding);
  const regions = regionsOf(question, focusKey, useHeld("a") ? null : checks);
  return (
    <div data-question={id} className="flex min-h-0 flex-1 flex-col md:flex-row">
      <div className="flex h-[212px] shrink-0 flex-col md:h-auto md:min-w-0 md:flex-1 md:shrink">
        {document === null ? (
          <Empty icon="documents" title="This question has no document.">
            It is about a trade and its order.
          </Empty>
        ) : (
          <NotePage document={document} regions={regions} />
        )}
      </div>
      <div className="flex min-h-0 flex-1 flex-col border-border bg-surface md:w-[440px] md:flex-none md:border-l lg:w-[520px]">
        <Banner
          question={question}
          failure={failure}
          checks={checks}
          isEdited={Object.keys(draft).length > 0}
        />
        {question.trade !== null && <OtherTrade facts={facts} trade={question.trade} />}
        {line === null ? (
          <GiveFile question={question} />
        ) : (
          <FieldList
            line={line}
            read={read}
            facts={facts}
            draft={draft}
            texts={texts}
            checks={checks}
            focusKey={focusKey}
            onFocus={setFocusKey}
            onSet={(key, value) => setDraft(id, key, value)}
            onText={(key, text) => setText(id, key, text)}
          />
        )}
        <Checks checks={checks} />
        <AnswerBar
          question={question}
          facts={facts}
          draft={draft}
          texts={texts}
          failing={failing}
          onAnswer={onAnswer}
        />
      </div>
    </div>
  );
}

function NotePage({
  document: { id, filename },
  regions,
}: {
  document: NonNullable<Data["document"]>;
  regions: readonly Region[];
}) {
  const content = useNote(id);
  return <PageView documentId={id} filename={filename} content={content} regions={regions} />;
}

/** The reason first, then the number. */
function Banner({
  question: { reasons, refusal, line },
  failure,
  checks,
  isEdited,
}: {
  question: Data;
  failure: string | null;
  checks: readonly Check[];
  isEdited: boolean;
}) {
  const wasFailing = runChecks(line?.facts ?? {}).some(({ isHolding }) => !isHolding);
  const isFitting = checks.every(({ isHolding }) => isHolding);
  const why = failure ?? refusal;
  if (why !== null)
    return (
      <Strip tone="failed">
        <b className="font-semibold">Not booked.</b> {capital(why)}. Your values are still here.
      </Strip>
    );
  if (isEdited && wasFailing && isFitting) return <Strip tone="info">Fits now.</Strip>;
  const [first, ...more] = reasons.map(reasonWords);
  return (
    <Strip tone="attention">
      <b className="font-semibold">{questionOf(reasons[0] ?? "")}</b> {capital(first ?? "")}.
      {more.length > 0 && ` ${more.map(capital).join(". ")}.`}
    </Strip>
  );
}

function questionOf(reason: string): string {
  if (/confidence/.test(reason)) return "Was this read correctly?";
  if (/quantity|price|proceeds|gross|net/.test(reason)) return "Do the amounts add up?";
  if (/sender/.test(reason)) return "Do you trust the sender?";
  if (/same|second|fill/.test(reason)) return "Same trade, or a second fill?";
  if (/person|holder|whose|client/.test(reason)) return "Whose trade is it?";
  if (/order/.test(reason)) return "Which order is it?";
  return "Is this right?";
}

function Checks({ checks }: { checks: readonly Check[] }) {
  if (checks.length === 0) return null;
  return (
    <ul aria-label="Checks" className="shrink-0 border-border border-t bg-sunken px-4 py-2">
      {checks.map(({ key, isHolding, text }) => (
        <li key={key} className="tabular flex items-start gap-2 py-0.5">
          <span className="mt-0.5">
            <StateIcon tone={isHolding ? "ok" : "failed"} label={isHolding ? "Passed" : "Failed"} />
          </span>
          <span className="min-w-0">{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** The field that fails a check, otherwise the one with the lowest confidence. */
function firstField(checks: readonly Check[], { line }: Data): string {
  const failing = checks.find(({ isHolding }) => !isHolding);
  if (failing !== undefined) return failing.fields[0]!;
  const known = FIELDS.flatMap((spec) => {
    const confidence = evidenceOf(line, spec)?.confidence;
    return confidence == null ? [] : [{ key: spec.key, confidence }];
  }).sort((a, b) => a.confidence - b.confidence);
  return known[0]?.key ?? "quantity";
}

/** Of the focused field and of those in the same check; without checks, of every field. */
function regionsOf({ line }: Data, focusKey: string, checks: readonly Check[] | null): Region[] {
  const together = checks?.find(({ fields }) => fields.includes(focusKey))?.fields ?? [];
  return FIELDS.flatMap((spec) => {
    const isFocused = spec.key === focusKey;
    if (!isFocused && checks !== null && !together.includes(spec.key)) return [];
    const evidence = evidenceOf(line, spec);
    const box = evidence?.source?.box;
    if (!evidence?.source || !box) return [];
    const isGrounded = evidence.isGrounded !== false;
    return [{ key: spec.key, page: evidence.source.page, box, isFocused, isGrounded }];
  });
}
