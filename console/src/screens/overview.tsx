/** Is mail flowing, and what needs me? The answer first, then what to do, then the figures. */
import { useMemo } from "react";
import { type Mailbox, useMailboxes } from "../data/mailboxes.ts";
import { type Overview as Data, useOverview } from "../data/overview.ts";
import { Card, Figures } from "../design/card.tsx";
import { Chart, Legend } from "../design/chart.tsx";
import { Loading } from "../design/feedback.tsx";
import { formatCount, formatSeconds, plural } from "../design/format.ts";
import { Live } from "../design/live.tsx";
import type { Series } from "../design/series.ts";
import { StateIcon } from "../design/state.tsx";
import { useNow } from "../design/values.tsx";
import { Failure } from "../shell/failure.tsx";
import { PageFrame } from "../shell/page-frame.tsx";
import { Changes } from "./overview/changes.tsx";
import { MailboxSummary } from "./overview/mailbox-summary.tsx";
import { findNeeds, NeedList, toVerdict } from "./overview/needs.tsx";

const STALE_MS = 20_000;

export function Overview() {
  const overview = useOverview();
  const mailboxes = useMailboxes();
  const ageMs = useNow().getTime() - overview.dataUpdatedAt;
  const isFresh = overview.dataUpdatedAt > 0 && ageMs < STALE_MS;
  return (
    <PageFrame
      title="Overview"
      actions={
        <Live
          isLive={isFresh}
          since={overview.dataUpdatedAt > 0 ? new Date(overview.dataUpdatedAt) : null}
          text={`Live, updated ${Math.max(0, Math.round(ageMs / 1000))} s ago`}
        />
      }
    >
      {overview.data && mailboxes.data ? (
        <Content overview={overview.data} mailboxes={mailboxes.data} />
      ) : overview.error || mailboxes.error ? (
        <Failure
          error={overview.error ?? mailboxes.error}
          onRetry={() => void Promise.all([overview.refetch(), mailboxes.refetch()])}
        />
      ) : (
        <Loading what="the overview" rows={16} />
      )}
    </PageFrame>
  );
}

function Content({ overview, mailboxes }: { overview: Data; mailboxes: readonly Mailbox[] }) {
  const needs = findNeeds(overview, mailboxes);
  const verdict = toVerdict(needs, mailboxes, overview);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div>
        <h2 className="text-verdict font-semibold">{verdict.headline}</h2>
        <p className="mt-1 text-prose text-text-2">{verdict.detail}</p>
      </div>
      {needs.length > 0 && <NeedList needs={needs} />}
      <Figures items={figuresOf(overview, mailboxes)} />
      <MailboxSummary mailboxes={mailboxes} />
      <Charts overview={overview} />
      {overview.actions !== null && <Changes actions={overview.actions} />}
    </div>
  );
}

function figuresOf({ events, notes, trades }: Data, mailboxes: readonly Mailbox[]) {
  const seen = events.byPush + events.rescued;
  const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "long" }).format(new Date());
  const audits = mailboxes.flatMap(({ lastAudit }) => (lastAudit === null ? [] : [lastAudit]));
  const sum = (pick: (audit: (typeof audits)[number]) => number) =>
    audits.reduce((total, audit) => total + pick(audit), 0);
  return [
    {
      label: "Events today",
      value: formatCount(events.today),
      note:
        events.weekdayAverage === null
          ? `no earlier ${weekday} yet`
          : `${weekday} average ${formatCount(Math.round(events.weekdayAverage))}`,
    },
    {
      label: "Seen by push",
      value: seen === 0 ? "–" : String(Math.floor((events.byPush / seen) * 100)),
      ...(seen === 0 ? {} : { unit: "%" }),
      note: `${formatCount(events.rescued)} found by delta instead`,
    },
    {
      label: "Lag, median",
      value: events.medianSeconds === null ? "–" : formatSeconds(events.medianSeconds),
      ...(events.medianSeconds === null ? {} : { unit: "s" }),
      note:
        events.p99Seconds === null
          ? "no push notifications yet"
          : `99th percentile ${formatSeconds(events.p99Seconds)} s`,
    },
    ...(notes === null || trades === null
      ? []
      : [
          {
            label: "Booked without a person",
            value: formatCount(notes.withoutPerson),
            unit: `of ${plural(notes.notes, "note")}`,
            note: `${formatCount(trades.needsAudit)} marked for audit`,
          },
        ]),
    {
      label: "Last audit",
      value:
        audits.length === 0 ? (
          "–"
        ) : sum(({ findings }) => findings) === 0 ? (
          <>
            <StateIcon tone="ok" size={20} /> No differences
          </>
        ) : (
          <>
            <StateIcon tone="failed" size={20} />{" "}
            {plural(
              sum(({ findings }) => findings),
              "difference",
            )}
          </>
        ),
      note:
        audits.length === 0
          ? "none yet; audits run every night"
          : `${formatCount(sum(({ inMailbox }) => inMailbox))} in mailboxes, ${formatCount(sum(({ inLog }) => inLog))} in the log`,
    },
  ];
}

const MINUTES = 60;
/** On its first day a server has no hour to show. */
const MINUTES_MIN = 15;

/** Every minute of the last hour, or since the first event in it, including those in which nothing happened. */
function Charts({ overview }: { overview: Data }) {
  const { at, events } = overview;
  const { times, rate, lag } = useMemo(() => {
    const last = Math.floor(Date.parse(at) / 60_000) * 60;
    const byTime = new Map(events.minutes.map((each) => [Date.parse(each.at) / 1000, each]));
    const known = (last - Math.min(last, ...byTime.keys())) / 60 + 2;
    const count = Math.min(MINUTES, Math.max(MINUTES_MIN, known));
    const times = Array.from({ length: count }, (_, index) => last - (count - 1 - index) * 60);
    const pick = (
      read: (minute: Data["events"]["minutes"][number]) => number | null,
      none: 0 | null,
    ) =>
      times.map((time) => {
        const minute = byTime.get(time);
        return minute === undefined ? none : read(minute);
      });
    const push = pick((minute) => minute.push, 0);
    const other = pick((minute) => minute.other, 0);
    const rate: Series[] = [
      // The sum is drawn first, and push over its lower part, so that the two look stacked.
      {
        label: "Delta, poll, audit",
        colour: 2,
        isBar: true,
        values: push.map((value, index) => (value ?? 0) + (other[index] ?? 0)),
      },
      { label: "Push", colour: 1, isBar: true, values: push },
    ];
    const lag: Series[] = [
      { label: "Median", colour: 1, values: pick((minute) => minute.medianSeconds, null) },
      {
        label: "99th percentile",
        colour: 1,
        isDashed: true,
        values: pick((minute) => minute.p99Seconds, null),
      },
    ];
    return { times, rate, lag };
  }, [at, events]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2">
      <Card title="Events per minute" action={<Legend series={[...rate].reverse()} />}>
        <Chart
          times={times}
          series={rate}
          unit=""
          summary={`${formatCount(events.today)} events today, ${formatCount(events.byPush)} by push.`}
        />
      </Card>
      <Card title="Lag" action={<Legend series={lag} />}>
        <Chart
          times={times}
          series={lag}
          unit=" s"
          summary={`Median ${events.medianSeconds === null ? "unknown" : `${formatSeconds(events.medianSeconds)} seconds`}.`}
        />
      </Card>
    </div>
  );
}
