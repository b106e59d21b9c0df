/** The answers, with their keys. While a check fails, you must confirm twice. */
import { useEffect, useState } from "react";
import type { Decision, Facts, Question } from "../../data/reviews.ts";
import { Button } from "../../design/button.tsx";
import { plural } from "../../design/format.ts";
import { useShortcuts } from "../../shell/shortcuts.ts";
import type { Check } from "./checks.ts";
import type { Draft } from "./drafts.ts";
import { FIELDS, understand } from "./fields.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { SplitDialog } from "./split-dialog.tsx";

export function AnswerBar({
  question,
  facts,
  draft,
  texts,
  failing,
  onAnswer,
}: {
  question: Question;
  facts: Facts;
  draft: Facts;
  texts: Draft["texts"];
  failing: readonly Check[];
  onAnswer: (decision: Decision, label: string) => void;
}) {
  const [open, setOpen] = useState<"reject" | "not-a-note" | "split" | null>(null);
  const [isSure, setSure] = useState(false);
  const draftKey = JSON.stringify(draft);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value is another question
  useEffect(() => setSure(false), [draftKey]);
  const changes = Object.keys(draft).length;
  const missing = FIELDS.filter(
    ({ key, isCore }) => isCore && (facts[key] === null || facts[key] === undefined),
  );
  const unfinished = unfinishedIn(texts);
  const isLine = question.subject !== "order";
  const isBlocked = unfinished !== null || (isLine && missing.length > 0);
  const label = labelOf(question, facts);
  const confirm = () => {
    if (isBlocked) return;
    if (failing.length > 0 && !isSure) return setSure(true);
    onAnswer(changes === 0 ? { action: "accept" } : { action: "correct", facts: draft }, label);
  };
  const { tradeId } = question;
  const link = () => tradeId !== null && onAnswer({ action: "link", tradeId }, label);
  useShortcuts({
    c: confirm,
    r: () => setOpen("reject"),
    ...(isLine ? { n: () => setOpen("not-a-note"), s: () => setOpen("split") } : {}),
    ...(tradeId !== null && isLine ? { l: link } : {}),
  });
  const isSame = tradeId !== null && isLine;
  return (
    <div className="shrink-0 border-border border-t p-3">
      {failing.length > 0 && isSure && (
        <p role="alert" className="pb-2 text-attention">
          The amounts do not add up. Press C again to confirm anyway.
        </p>
      )}
      {isLine && missing.length > 0 && (
        <p className="pb-2 text-text-2">
          {missing.map(({ label: name }) => name).join(", ")} {missing.length === 1 ? "is" : "are"}{" "}
          needed before you can confirm.
        </p>
      )}
      {unfinished !== null && <p className="pb-2 text-failed">{unfinished}</p>}
      <div className="flex flex-wrap gap-1.5">
        <Button
          kind={failing.length > 0 || isSame ? "plain" : "primary"}
          shortcut="C"
          disabled={isBlocked}
          onClick={confirm}
        >
          {isSame
            ? "Second fill, book it"
            : changes === 0
              ? "Confirm"
              : `Confirm with ${plural(changes, "change")}`}
        </Button>
        {isSame && (
          <Button shortcut="L" onClick={link}>
            Same trade
          </Button>
        )}
        <Button shortcut="R" onClick={() => setOpen("reject")}>
          Reject
        </Button>
        {isLine && (
          <>
            <Button shortcut="N" onClick={() => setOpen("not-a-note")}>
              Not a note
            </Button>
            <Button shortcut="S" onClick={() => setOpen("split")}>
              Split
            </Button>
          </>
        )}
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
          facts={facts}
          onClose={() => setOpen(null)}
          onSplit={(lines) => onAnswer({ action: "split", lines }, label)}
        />
      )}
    </div>
  );
}

/** What was typed and makes no sense yet: nothing is sent without it. */
function unfinishedIn(texts: Draft["texts"]): string | null {
  for (const spec of FIELDS) {
    const text = texts[spec.key];
    const understood = text === undefined ? null : understand(spec, text);
    if (understood?.isValid === false) return `${spec.label}: ${understood.why}`;
  }
  return null;
}

const labelOf = ({ document, id }: Question, facts: Facts): string =>
  String(facts["reference"] ?? document?.filename ?? `question ${id}`);
