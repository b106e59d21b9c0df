/** Why a person is asked, first as a question and then with its numbers. */
import type { Question } from "../../data/reviews.ts";
import { Strip } from "../../design/feedback.tsx";
import { capital, reasonWords } from "../../design/reason.ts";
import { type Check, runChecks } from "./checks.ts";

export function Banner({
  question: { reasons, refusal, line },
  failure,
  checks,
  isEdited,
}: {
  question: Question;
  /** Why the answer that was just given could not be sent. */
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
        <b className="font-semibold">Not booked.</b> {sentence(why)} Your values are still here.
      </Strip>
    );
  if (isEdited && wasFailing && isFitting) return <Strip tone="info">Fits now.</Strip>;
  return (
    <Strip tone="attention">
      <b className="font-semibold">{questionOf(reasons[0] ?? "")}</b>{" "}
      {reasons.map((reason) => sentence(reasonWords(reason))).join(" ")}
    </Strip>
  );
}

/** Some reasons are questions themselves. */
const sentence = (text: string): string => `${capital(text)}${/[.?!]$/.test(text) ? "" : "."}`;

function questionOf(reason: string): string {
  if (/^undone by/.test(reason)) return "What is right?";
  if (/password|encrypted/.test(reason)) return "What is in the file?";
  if (/same trade|second fill|is booked with/.test(reason)) return "Same trade, or a second fill?";
  if (/cancels/.test(reason)) return "Does it cancel this trade?";
  if (/replaces|changes a trade/.test(reason)) return "Does it change this trade?";
  if (/confidence/.test(reason)) return "Was this read correctly?";
  if (/order/.test(reason)) return "Which order is it?";
  if (/sender|forwarded/.test(reason)) return "Do you trust the sender?";
  if (/person|holder|whose|client/.test(reason)) return "Whose trade is it?";
  if (/quantity|price|proceeds|gross|net\b/.test(reason)) return "Do the amounts add up?";
  return "Is this right?";
}
