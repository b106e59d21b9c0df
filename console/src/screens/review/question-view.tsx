/** One open question: the page on the left, what was read on the right, the decision at the bottom. */
import { useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { type Decision, type Question, useNote } from "../../data/reviews.ts";
import { Empty } from "../../design/feedback.tsx";
import { StateIcon } from "../../design/state.tsx";
import { PageView, type Region } from "../../pdf/page-view.tsx";
import type { Search } from "../../shell/search.ts";
import { useHeld, useShortcuts } from "../../shell/shortcuts.ts";
import { AnswerBar } from "./answer-bar.tsx";
import { Banner } from "./banner.tsx";
import { type Check, runChecks } from "./checks.ts";
import { setDraft, setText, useDraft } from "./drafts.ts";
import { FieldList } from "./field-list.tsx";
import { evidenceOf, FIELDS } from "./fields.ts";
import { GiveFile } from "./give-file.tsx";
import { OrderQuestion } from "./order-question.tsx";
import { OtherTrade } from "./other-trade.tsx";

interface QuestionProps {
  readonly question: Question;
  /** Why the answer that was just given could not be sent. */
  readonly failure: string | null;
  readonly onAnswer: (decision: Decision, label: string) => void;
}

export function QuestionView({ question, failure, onAnswer }: QuestionProps) {
  const { id, line, document, candidates } = question;
  const { facts: draft, texts } = useDraft(id);
  const search = useSearch({ strict: false }) as Search;
  const read = useMemo(() => line?.facts ?? {}, [line]);
  const facts = useMemo(() => ({ ...read, ...draft }), [read, draft]);
  const checks = runChecks(facts);
  const [focusKey, setFocusKey] = useState(
    () => search["field"] ?? firstField(runChecks(read), question),
  );
  const [shown, setShown] = useState(0);
  const [isSwapped, setSwapped] = useState(false);
  const swap = () => setSwapped((now) => !now);
  const other = candidates[shown];
  const otherNote = other?.documents[0];
  useShortcuts(otherNote === undefined ? {} : { o: swap });
  const regions = regionsOf(question, focusKey, useHeld("a") ? null : checks);
  return (
    <div
      data-question={id}
      className="flex min-h-0 flex-1 flex-col md:flex-row max-md:short:overflow-y-auto"
    >
      <div className="flex h-[212px] shrink-0 flex-col md:h-auto md:min-w-0 md:flex-1 md:shrink">
        {isSwapped && otherNote !== undefined ? (
          <NotePage
            document={{ id: otherNote.documentId, filename: otherNote.filename }}
            regions={NO_REGIONS}
          />
        ) : document === null ? (
          <Empty icon="documents" title="This question has no document.">
            It is about a trade and its order.
          </Empty>
        ) : (
          <NotePage document={document} regions={regions} />
        )}
      </div>
      <div className="flex min-h-0 flex-1 flex-col border-border bg-surface short:overflow-y-auto max-md:short:flex-none md:w-[440px] md:flex-none md:border-l lg:w-[520px]">
        <Banner
          question={question}
          failure={failure}
          checks={checks}
          isEdited={Object.keys(draft).length > 0}
        />
        {question.subject === "order" && question.trade !== null ? (
          <OrderQuestion trade={question.trade} onAnswer={onAnswer} />
        ) : (
          <>
            {other !== undefined && (
              <OtherTrade
                facts={facts}
                receivedAt={document?.receivedAt ?? null}
                trades={candidates}
                shown={shown}
                onShow={setShown}
                isSwapped={isSwapped}
                onSwap={swap}
              />
            )}
            {line === null && <GiveFile question={question} />}
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
            <Checks checks={checks} />
            <AnswerBar
              question={question}
              read={read}
              facts={facts}
              draft={draft}
              texts={texts}
              failing={checks.filter(({ isHolding }) => !isHolding)}
              other={other}
              onAnswer={onAnswer}
            />
          </>
        )}
      </div>
    </div>
  );
}

const NO_REGIONS: readonly Region[] = [];

function NotePage({
  document: { id, filename },
  regions,
}: {
  document: { readonly id: string; readonly filename: string };
  regions: readonly Region[];
}) {
  const content = useNote(id);
  return <PageView documentId={id} filename={filename} content={content} regions={regions} />;
}

function Checks({ checks }: { checks: readonly Check[] }) {
  if (checks.length === 0) return null;
  return (
    <ul
      aria-label="Checks"
      className={`shrink-0 border-border border-t bg-sunken px-4 py-2 ${checks.every(({ isHolding }) => isHolding) ? "max-md:hidden" : ""}`}
    >
      {checks.map(({ key, isHolding, text }) => (
        <li
          key={key}
          className={`tabular items-start gap-2 py-0.5 ${isHolding ? "hidden md:flex" : "flex"}`}
        >
          <span className="mt-0.5">
            <StateIcon tone={isHolding ? "ok" : "failed"} label={isHolding ? "Passed" : "Failed"} />
          </span>
          <span className="min-w-0">{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** What a reason is about. */
const ABOUT: readonly (readonly [reason: RegExp, key: string])[] = [
  [/^whose trade it is|^the account is not a person's/, "holder"],
  [/^reference .* is booked/, "reference"],
  [/^trade date/, "tradeDate"],
  [/^the settlement date/, "settlementDate"],
  [/^a price|^price/, "price"],
  [/^no rate between/, "priceCurrency"],
];

/**
 * Of a failing check the field with the lowest confidence; else the one that a reason names, if it is on the page; else
 * the least certain of all. A page that was not read focuses none.
 */
function firstField(checks: readonly Check[], { line, reasons }: Question): string {
  if (line === null) return "";
  const isPrinted = (key: string) => {
    const spec = FIELDS.find((each) => each.key === key);
    return spec !== undefined && evidenceOf(line, spec)?.source?.box != null;
  };
  const named = reasons.flatMap((reason) =>
    ABOUT.filter(([about, key]) => about.test(reason) && isPrinted(key)).map(([, key]) => key),
  );
  const failing = checks.find(({ isHolding }) => !isHolding)?.fields;
  const sure = (key: string) => {
    const spec = FIELDS.find((each) => each.key === key);
    return (spec && evidenceOf(line, spec)?.confidence) ?? 1;
  };
  if (failing === undefined && named[0] !== undefined) return named[0];
  const fields = failing ?? FIELDS.map(({ key }) => key);
  const [first] = [...fields].sort((a, b) => sure(a) - sure(b));
  return first !== undefined && (failing || sure(first) < 1) ? first : "quantity";
}

/** Of the focused field and of those in the same check; without checks, of every field. */
function regionsOf(
  { line }: Question,
  focusKey: string,
  checks: readonly Check[] | null,
): Region[] {
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
