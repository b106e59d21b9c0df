/** The list of what needs a person; each entry links to the page that helps. */
import { Link } from "@tanstack/react-router";
import type { Mailbox } from "../../data/mailboxes.ts";
import type { Overview } from "../../data/overview.ts";
import { buttonLook } from "../../design/button.tsx";
import { formatAge, formatCount, plural } from "../../design/format.ts";
import { reasonWords } from "../../design/reason.ts";
import { StateIcon, type Tone } from "../../design/state.tsx";
import { PAGES } from "../../shell/pages.ts";

export interface Need {
  readonly tone: Tone;
  readonly what: string;
  readonly detail: string;
  readonly to: string;
  readonly action: string;
}

/** Jobs that have waited longer than this are a backlog, not a queue. */
const BACKLOG_MS = 60_000;
const UNREACHABLE_SHOWN = 3;

export function findNeeds(overview: Overview, mailboxes: readonly Mailbox[]): Need[] {
  const ageOf = (at: string) => Math.max(0, Date.parse(overview.at) - Date.parse(at));
  const needs: Need[] = [];
  const { reviews, deadLetters, queues } = overview;
  if (reviews !== null && reviews.open > 0) {
    const [top] = reviews.reasons;
    needs.push({
      tone: "attention",
      what: `${plural(reviews.open, "question")} ${reviews.open === 1 ? "is" : "are"} waiting`,
      detail: [
        reviews.oldestAt === null ? null : `oldest ${formatAge(ageOf(reviews.oldestAt))}`,
        top === undefined ? null : reasonWords(top.reason).replace(/ \(.*\)$/, ""),
      ]
        .filter(Boolean)
        .join(", "),
      to: "/review",
      action: "Start review",
    });
  }
  const unreachable = mailboxes.filter(({ status }) => status === "unreachable");
  for (const { address, statusReason } of unreachable.slice(0, UNREACHABLE_SHOWN))
    needs.push({
      tone: "failed",
      what: `${address} cannot be read`,
      detail: statusReason ?? "",
      to: `/mailboxes/${encodeURIComponent(address)}`,
      action: "Show the fix",
    });
  if (unreachable.length > UNREACHABLE_SHOWN)
    needs.push({
      tone: "failed",
      what: `${plural(unreachable.length - UNREACHABLE_SHOWN, "more mailbox", "more mailboxes")} cannot be read`,
      detail: "",
      to: "/mailboxes",
      action: "Show all",
    });
  for (const { address, lastAudit } of mailboxes)
    if (lastAudit !== null && lastAudit.findings > 0)
      needs.push({
        tone: "failed",
        what: `${address} differs from the log`,
        detail: `${plural(lastAudit.findings, "difference")} in the last audit`,
        to: `/mailboxes/${encodeURIComponent(address)}`,
        action: "Show the mailbox",
      });
  const dead = (deadLetters ?? []).reduce((sum, { count }) => sum + count, 0);
  if (deadLetters !== null && dead > 0)
    needs.push({
      tone: "failed",
      what: `${plural(dead, "job")} failed for good, from ${plural(deadLetters.length, "cause")}`,
      detail: `${deadLetters[0]!.pattern}, ${deadLetters[0]!.jobType}`,
      to: "/dead-letters",
      action: "Show dead letters",
    });
  const late = (queues ?? []).filter(
    ({ oldestDueAt }) => oldestDueAt !== null && ageOf(oldestDueAt) > BACKLOG_MS,
  );
  for (const { queue, queued, oldestDueAt } of late)
    needs.push({
      tone: "attention",
      what: `${plural(queued, "job")} ${queued === 1 ? "is" : "are"} waiting in the queue ${queue}`,
      detail: `oldest ${formatAge(ageOf(oldestDueAt!))}`,
      to: "/jobs",
      action: "Show jobs",
    });
  return needs;
}

const NUMBERS = [
  "Nothing",
  "One thing",
  "Two things",
  "Three things",
  "Four things",
  "Five things",
];

export function toVerdict(
  needs: readonly Need[],
  mailboxes: readonly Mailbox[],
  overview: Overview,
): { headline: string; detail: string } {
  const watched = mailboxes.filter(({ status }) => status === "active").length;
  const flow =
    mailboxes.length === 0
      ? "No mailbox is watched."
      : watched === 0
        ? "No mail is flowing."
        : "Mail is flowing.";
  const count = NUMBERS[needs.length] ?? `${needs.length} things`;
  const verb = needs.length === 1 || needs.length === 0 ? "needs" : "need";
  const parts = [
    `${formatCount(watched)} of ${plural(mailboxes.length, "mailbox", "mailboxes")} ${watched === 1 ? "is" : "are"} watched`,
    `${plural(overview.events.today, "event")} today`,
    ...(overview.trades === null ? [] : [`${plural(overview.trades.booked, "trade")} booked`]),
    ...(isAudited(mailboxes) ? ["nothing missing in the last audit"] : []),
  ];
  return { headline: `${flow} ${count} ${verb} you.`, detail: `${parts.join(", ")}.` };
}

const isAudited = (mailboxes: readonly Mailbox[]): boolean =>
  mailboxes.some(({ lastAudit }) => lastAudit !== null) &&
  mailboxes.every(({ lastAudit }) => lastAudit === null || lastAudit.findings === 0);

export function NeedList({ needs }: { needs: readonly Need[] }) {
  return (
    <ul
      aria-label="What needs you"
      className="overflow-hidden rounded-card border border-border bg-surface shadow-card"
    >
      {needs.map((need) => (
        <li
          key={need.what}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 border-border border-b px-4 py-2.5 last:border-b-0 sm:flex-nowrap"
        >
          <span className="flex min-w-0 flex-1 basis-64 items-start gap-3">
            <span className="mt-0.5">
              <StateIcon tone={need.tone} label={need.tone === "failed" ? "Failed" : "Attention"} />
            </span>
            <span className="line-clamp-3 min-w-0 break-words">
              <b className="font-medium">{need.what}</b>{" "}
              <span className="text-text-2">{need.detail}</span>
            </span>
          </span>
          {hasPage(need.to) && (
            <Link to={need.to as "/"} className={buttonLook("plain", "small")}>
              {need.action}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

const hasPage = (path: string): boolean =>
  PAGES.some((page) => page.path !== "/" && path.startsWith(page.path));
