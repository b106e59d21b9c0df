/** Steps as sentences: a bold verb, a grey detail, and how long it took. */
import { Link } from "@tanstack/react-router";
import type { Trace, TraceStep } from "../../data/trace.ts";
import { plural } from "../../design/format.ts";
import type { IconName } from "../../design/icon.tsx";
import { reasonWords } from "../../design/reason.ts";
import type { TimelineStep } from "../../design/timeline.tsx";
import { nameIn } from "../../design/values.tsx";
import { mayUse } from "../../session/roles.ts";
import { useMe } from "../../session/use-me.ts";
import { typeOf } from "../events/event-words.tsx";

const GROUPS: Readonly<Record<string, string>> = {
  notification: "Heard",
  event: "Seen",
  job: "Seen",
  ingestion: "Ingested",
  decision: "Decided",
};

/** A step that took longer than this waited for something. */
const WORK_MS_MAX = 30_000;

export function toSteps({ steps }: Trace): TimelineStep[] {
  const startMs = Date.parse(steps[0]!.at);
  const passed = { isIngested: false, isDecided: false };
  return steps.map((step, index) => {
    const offsetMs = Date.parse(step.at) - startMs;
    const before = index === 0 ? 0 : offsetMs - (Date.parse(steps[index - 1]!.at) - startMs);
    if (step.kind === "ingestion") passed.isIngested = true;
    if (step.kind === "decision") passed.isDecided = true;
    const { icon, what, detail } = wordsOf(step);
    const isFailed = hasFailed(step);
    const isByPerson = step.kind === "decision" && step.facts["by"] !== "postroom";
    const isWork = index > 0 && before <= WORK_MS_MAX && step.kind !== "event" && !isByPerson;
    return {
      key: String(index),
      group: groupOf(step, passed),
      icon,
      what,
      isFailed,
      isByPerson,
      offsetMs,
      detail: isFailed ? <FailedJob detail={detail} jobId={step.facts["jobId"]} /> : detail,
      durationMs: isWork ? before : null,
    };
  });
}

export const hasFailed = ({ facts }: TraceStep): boolean =>
  facts["state"] === "Failed" || facts["state"] === "Poisoned";

/** Only operators may open a job. */
function FailedJob({ detail, jobId }: { detail: string; jobId: unknown }) {
  const { role } = useMe();
  return (
    <>
      {detail}{" "}
      {typeof jobId === "string" && mayUse(role, "operator") && (
        <Link to="/jobs" search={{ job: jobId }} className="text-accent hover:underline">
          Show job
        </Link>
      )}
    </>
  );
}

/** A job that ends inside the ingestion belongs to it; what follows a decision carries it out. */
function groupOf(step: TraceStep, passed: { isIngested: boolean; isDecided: boolean }): string {
  if (step.kind !== "job" && step.kind !== "ingestion") return GROUPS[step.kind] ?? "Filed";
  if (passed.isDecided) return "Decided";
  return passed.isIngested ? "Ingested" : "Seen";
}

export const workOf = (steps: readonly TimelineStep[]): number =>
  steps.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);

function wordsOf({ kind, what, facts }: TraceStep): {
  icon: IconName;
  what: string;
  detail: string;
} {
  const text = (name: string) => (facts[name] == null ? null : String(facts[name]));
  const list = (name: string) => (Array.isArray(facts[name]) ? facts[name].map(String) : []);
  const join = (...parts: (string | null)[]) => parts.filter(Boolean).join(", ");
  if (kind === "notification") return { icon: "bell", what, detail: "" };
  if (kind === "event") {
    const { icon, word } = typeOf(what);
    const where = text("folder") === null ? "" : ` in ${text("folder")}`;
    return {
      icon,
      what: `${word}${where}`,
      detail: join(`event ${text("seq")}`, `by ${text("seenBy")}`),
    };
  }
  if (kind === "job") {
    const state = text("state")?.toLowerCase() ?? "";
    const tries = Number(facts["attempt"]) > 1 ? `attempt ${text("attempt")}` : null;
    return { icon: "jobs", what: `Job ${what} ${state}`, detail: join(tries, text("error")) };
  }
  if (kind === "decision")
    return decisionWords(what, { by: text("by"), name: text("byName"), why: list("why") });
  return ingestionWords(what.replace(/^\w+ /, ""), facts, { text, list, join });
}

/** What Postroom did, and what a person did. */
const DECISIONS: Readonly<Record<string, readonly [postroom: string, person: string]>> = {
  confirm: ["Trade booked", "confirmed it"],
  same: ["Same trade as one that is booked", "linked it to a booked trade"],
  amend: ["Trade amended", "confirmed the amendment"],
  cancel: ["Trade cancelled", "confirmed the cancellation"],
  link: ["Order linked", "linked the order"],
  unlink: ["Left without an order", "left it without an order"],
  ask: ["Asked a person", "asked a person"],
  reject: ["Rejected", "rejected it"],
  "not-a-note": ["Not a contract note", "marked it as not a contract note"],
  undo: ["Taken back", "took it back"],
};

function decisionWords(
  what: string,
  { by, name, why }: { by: string | null; name: string | null; why: readonly string[] },
) {
  const isPerson = by !== null && by !== "postroom";
  const [postroom, person] = DECISIONS[what] ?? [what, what];
  const who = name ?? by ?? "";
  const named = (text: string) => (isPerson ? text.replaceAll(by, who) : text);
  const icon: IconName = what === "ask" ? "review" : isPerson ? "person" : "ok";
  return {
    icon,
    what: isPerson ? `${who} ${person}` : postroom,
    detail: why
      .map((reason) => named(reasonWords(reason)))
      .filter((reason) => !isPerson || !reason.startsWith(`confirmed by ${who} as it was read`))
      .join(", "),
  };
}

interface Reader {
  text(name: string): string | null;
  list(name: string): string[];
  join(...parts: (string | null)[]): string;
}

function ingestionWords(
  name: string,
  facts: TraceStep["facts"],
  { text, list, join }: Reader,
): { icon: IconName; what: string; detail: string } {
  switch (name) {
    case "id":
      return { icon: "mail", what: "Identified", detail: text("mailbox") ?? "" };
    case "check":
      return { icon: "ok", what: "Checked", detail: "not ingested before" };
    case "claim":
      return { icon: "key", what: "Claimed", detail: `token ${text("token")}` };
    case "fetch":
      return {
        icon: "download",
        what: `Fetched ${plural(list("files").length, "file")}`,
        detail: list("files").join(", "),
      };
    case "process":
      return {
        icon: "note",
        what: `Read as ${text("documentType")?.replace(/-/g, " ") ?? "a document"}`,
        detail: join(
          text("trades") === null ? null : plural(Number(text("trades")), "trade"),
          ...list("notes"),
        ),
      };
    case "archive":
      return { icon: "archive", what: "Archived", detail: list("paths").map(nameIn).join(", ") };
    case "mark":
      return { icon: "ok", what: `Marked ${text("status")}`, detail: text("error") ?? "" };
    default:
      return {
        icon: "events",
        what: name,
        detail: Object.entries(facts)
          .map(
            ([key, value]) =>
              `${key} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`,
          )
          .join(", "),
      };
  }
}
