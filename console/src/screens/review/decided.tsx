/** A question that somebody answered meanwhile; what was typed here and not used stays readable beside the answer. */
import type { Question, StoredDecision } from "../../data/reviews.ts";
import { Button } from "../../design/button.tsx";
import { Empty } from "../../design/feedback.tsx";
import { Ago } from "../../design/values.tsx";
import { useMe } from "../../session/use-me.ts";
import { forget } from "./answers.ts";
import { useDraft } from "./drafts.ts";
import { FIELDS, showValue } from "./fields.ts";

const DID: Readonly<Record<StoredDecision["action"], string>> = {
  accept: "confirmed this",
  correct: "corrected and confirmed this",
  reject: "rejected this",
  "not-a-note": "marked this as not a contract note",
  split: "split this",
  link: "linked this",
  "approve-sender": "confirmed this and approved the sender",
  unlock: "gave the password of this document",
  replace: "gave another file for this document",
};

export function Decided({ question, onNext }: { question: Question; onNext: () => void }) {
  const me = useMe();
  const { decidedBy, decidedByName, decision } = question;
  const somebody = decidedBy === "operator" ? "The operator" : (decidedBy ?? "Somebody");
  const who = decidedBy === me.id ? "You" : (decidedByName ?? somebody);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <Empty
        icon="ok"
        title={`${who} ${decision === null ? "closed this" : DID[decision.action]}.`}
      >
        <p className="mb-3">
          <Ago at={question.decidedAt} />
          {decision?.action === "reject" || decision?.action === "not-a-note"
            ? `: ${decision.reason}`
            : ""}
        </p>
        <Unused question={question} />
        <Button
          kind="primary"
          onClick={() => {
            forget(question.id);
            onNext();
          }}
        >
          Next question
        </Button>
      </Empty>
    </div>
  );
}

/** The values that the reader had typed, beside those that count now. */
function Unused({ question: { id, line } }: { question: Question }) {
  const { facts } = useDraft(id);
  const changed = FIELDS.filter(({ key }) => key in facts);
  if (changed.length === 0) return null;
  return (
    <div className="mb-4">
      <p className="mb-2">Your change was not used.</p>
      <table className="mx-auto rounded-card border border-border bg-surface text-left text-text">
        <thead>
          <tr className="text-label text-text-2">
            <td className="px-4 py-2" />
            <th className="py-2 pr-6 font-medium">You typed</th>
            <th className="py-2 pr-4 font-medium">It is now</th>
          </tr>
        </thead>
        <tbody>
          {changed.map((spec) => (
            <tr key={spec.key} className="border-border border-t">
              <th className="px-4 py-1.5 font-normal text-text-2">{spec.label}</th>
              <td className="py-1.5 pr-6 font-medium">{showValue(spec, facts[spec.key])}</td>
              <td className="py-1.5 pr-4">{showValue(spec, line?.facts[spec.key])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
