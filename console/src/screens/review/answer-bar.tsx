/** The answers, with their keys. While a check fails, you must confirm twice. */
import { type ReactNode, useEffect, useState } from "react";
import type { Decision, Facts, Question } from "../../data/reviews.ts";
import type { TradeView } from "../../data/trades.ts";
import { Button } from "../../design/button.tsx";
import { plural } from "../../design/format.ts";
import { capital } from "../../design/reason.ts";
import { useShortcuts } from "../../shell/shortcuts.ts";
import type { Check } from "./checks.ts";
import type { Draft } from "./drafts.ts";
import { FIELDS, understand } from "./fields.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { SplitDialog } from "./split-dialog.tsx";

export interface AnswerBarProps {
  readonly question: Question;
  readonly read: Facts;
  readonly facts: Facts;
  readonly draft: Facts;
  readonly texts: Draft["texts"];
  readonly failing: readonly Check[];
  /** The booked trade beside the note. */
  readonly other: TradeView | undefined;
  readonly onAnswer: (decision: Decision, label: string) => void;
}

export function AnswerBar(props: AnswerBarProps) {
  const { question, read, facts, draft, texts, failing, other, onAnswer } = props;
  const [open, setOpen] = useState<"reject" | "not-a-note" | "split" | null>(null);
  const [isMore, setMore] = useState(false);
  const [isSure, setSure] = useState(false);
  const draftKey = JSON.stringify(draft);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value is another question
  useEffect(() => setSure(false), [draftKey]);
  const changes = Object.keys(draft).length;
  const missing = FIELDS.filter(
    ({ key, isCore }) => isCore && (facts[key] === null || facts[key] === undefined),
  );
  const unfinished = unfinishedIn(texts);
  const isBlocked = unfinished !== null || missing.length > 0;
  const label = String(
    facts["reference"] ?? question.document?.filename ?? `question ${question.id}`,
  );
  const linking = linkWords(facts, question.candidates.length);
  const isSame = other !== undefined && linking === "Same trade";
  const confirm = () => {
    if (isBlocked) return;
    if (failing.length > 0 && !isSure) return setSure(true);
    onAnswer(changes === 0 ? { action: "accept" } : { action: "correct", facts: draft }, label);
  };
  const link = () => other && onAnswer({ action: "link", tradeId: other.id }, label);
  const approve = () => onAnswer({ action: "approve-sender" }, label);
  const canApprove = !isBlocked && changes === 0 && asksForApproval(question);
  const canSplit = question.line !== null;
  useShortcuts({
    c: confirm,
    r: () => setOpen("reject"),
    n: () => setOpen("not-a-note"),
    ...(canSplit ? { s: () => setOpen("split") } : {}),
    ...(canApprove ? { p: approve } : {}),
    ...(other !== undefined && linking !== null ? { l: link } : {}),
  });
  const behindMore = isMore ? "" : "max-md:hidden";
  return (
    <div className="shrink-0 border-border border-t p-3">
      <Notes>
        {failing.length > 0 && isSure && (
          <p role="alert" className="text-attention">
            The amounts do not add up. Press C again to confirm anyway.
          </p>
        )}
        {missing.length > 0 && (
          <p className="text-text-2">
            {listOf(missing.map(({ label: name }) => name))} {missing.length === 1 ? "is" : "are"}{" "}
            needed before you can {question.line === null ? "book this trade" : "confirm"}.
          </p>
        )}
        {unfinished !== null && <p className="text-failed">{unfinished}</p>}
      </Notes>
      <div className="flex flex-wrap gap-1.5">
        {other !== undefined && linking !== null && (
          <Button shortcut="L" onClick={link}>
            {linking}
          </Button>
        )}
        <Button
          kind={failing.length > 0 || other !== undefined ? "plain" : "primary"}
          shortcut="C"
          disabled={isBlocked}
          onClick={confirm}
        >
          {failing.length > 0 && isSure
            ? "Confirm anyway"
            : confirmWords({ isSame, isTyped: question.line === null, changes })}
        </Button>
        {canApprove && (
          <Button shortcut="P" onClick={approve} className={behindMore}>
            Approve sender
          </Button>
        )}
        <Button shortcut="R" onClick={() => setOpen("reject")}>
          Reject
        </Button>
        <Button shortcut="N" onClick={() => setOpen("not-a-note")} className={behindMore}>
          Not a note
        </Button>
        {canSplit && (
          <Button shortcut="S" onClick={() => setOpen("split")} className={behindMore}>
            Split
          </Button>
        )}
        <Button
          kind="quiet"
          icon="more"
          aria-expanded={isMore}
          onClick={() => setMore(!isMore)}
          className="md:hidden"
        >
          {isMore ? "Less" : "More"}
        </Button>
      </div>
      {(open === "reject" || open === "not-a-note") && (
        <ReasonDialog
          title={open === "reject" ? "Reject this trade" : "This document is not a contract note"}
          action={open === "reject" ? "Reject" : "Not a note"}
          onClose={() => setOpen(null)}
          onReason={(reason) => onAnswer({ action: open, reason }, label)}
        />
      )}
      {open === "split" && (
        <SplitDialog
          read={read}
          facts={facts}
          draft={draft}
          onClose={() => setOpen(null)}
          onSplit={(lines) => onAnswer({ action: "split", lines }, label)}
        />
      )}
    </div>
  );
}

const Notes = ({ children }: { children: ReactNode }) => (
  <div className="grid gap-1 pb-2 empty:hidden">{children}</div>
);

/** `Direction, quantity and trade date` */
const listOf = (names: readonly string[]): string =>
  capital(
    names
      .join(", ")
      .toLowerCase()
      .replace(/, ([^,]*)$/, " and $1"),
  );

/** What linking the note to the booked trade means; null if only confirming it does the right thing. */
function linkWords(facts: Facts, candidates: number): string | null {
  if (facts["isAmendment"] === true) return null;
  if (facts["isCancelled"] !== true) return "Same trade";
  return candidates > 1 ? "Cancels this trade" : null;
}

function confirmWords({
  isSame,
  isTyped,
  changes,
}: {
  isSame: boolean;
  isTyped: boolean;
  changes: number;
}): string {
  if (isTyped) return "Book this trade";
  const done = isSame ? "Second fill, book it" : "Confirm";
  return changes === 0 ? done : `${done} with ${plural(changes, "change")}`;
}

/** The server approves nobody whose mail may be forged. */
const asksForApproval = ({ reasons }: Question): boolean =>
  reasons.some((reason) => reason.startsWith("sender not approved")) &&
  !reasons.some((reason) => reason.startsWith("sender not authenticated"));

/** What was typed and makes no sense yet: nothing is sent without it. */
function unfinishedIn(texts: Draft["texts"]): string | null {
  for (const spec of FIELDS) {
    const text = texts[spec.key];
    const understood = text === undefined ? null : understand(spec, text);
    if (understood?.isValid === false) return `${spec.label}: ${understood.why}`;
  }
  return null;
}
