/** What happened to a message: every step, with its duration and the waits between them. */
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type Trace, useTrace } from "../data/trace.ts";
import { type TradeDetails, useTrade } from "../data/trades.ts";
import { Button } from "../design/button.tsx";
import { Card, KeyValues } from "../design/card.tsx";
import { Loading } from "../design/feedback.tsx";
import { formatAmount, formatDuration, formatExact, formatNumber } from "../design/format.ts";
import { Timeline, type TimelineStep } from "../design/timeline.tsx";
import { Breakable, IdChip, PathChip } from "../design/values.tsx";
import { mayUse } from "../session/roles.ts";
import { useMe } from "../session/use-me.ts";
import { copyLink } from "../shell/copy-link.tsx";
import { Failure } from "../shell/failure.tsx";
import { PageFrame } from "../shell/page-frame.tsx";
import { hasFailed, toSteps, workOf } from "./trace/trace-words.tsx";
import { TradeState, tradeTitle } from "./trades/trade-words.tsx";

export function TracePage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const { data, error, refetch } = useTrace(id);
  const trade = useOnlyTrade(data);
  return (
    <PageFrame
      title="Trace"
      {...(trade === undefined ? { note: id } : { crumbs: crumbsOf(trade) })}
      actions={<CopyLink />}
    >
      {data ? (
        <TraceView trace={data} trade={trade} />
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the trace" rows={12} />
      )}
    </PageFrame>
  );
}

/** The trade that the message became, if it became one and the reader may see it. */
function useOnlyTrade(trace: Trace | undefined): TradeDetails | undefined {
  const { role } = useMe();
  const ids = trace === undefined ? [] : valuesOf(trace, "tradeId");
  const { data } = useTrade(ids[0] ?? "", ids.length === 1 && mayUse(role, "viewer"));
  return data;
}

const crumbsOf = (trade: TradeDetails): ReactNode[] => [
  <Link key="trades" to="/trades">
    Trades
  </Link>,
  <Link key="trade" to="/trades/$id" params={{ id: trade.id }} className="max-w-64 truncate">
    {trade.reference ?? tradeTitle(trade)}
  </Link>,
];

const valuesOf = ({ steps }: Trace, name: string): string[] => [
  ...new Set(steps.flatMap(({ facts }) => (facts[name] ? [String(facts[name])] : []))),
];

const listsOf = ({ steps }: Trace, name: string): string[] =>
  steps.flatMap(({ facts }) => (Array.isArray(facts[name]) ? facts[name].map(String) : []));

export function TraceView({ trace, trade }: { trace: Trace; trade?: TradeDetails | undefined }) {
  const steps = toSteps(trace);
  const trades = valuesOf(trace, "trade");
  const [files, paths] = [listsOf(trace, "files"), listsOf(trace, "paths")];
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="text-verdict font-semibold">
          {trade === undefined ? headlineOf(trace, trades.length) : tradeTitle(trade)}
        </h2>
        {trade && <TradeState trade={trade} />}
      </div>
      <p className="mb-6 mt-1 text-prose text-text-2">{tookWords(steps)}</p>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_360px]">
        <Card>
          <Timeline steps={steps} />
        </Card>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {trade && <TradeCard trade={trade} />}
          <Card title="Where it came from">
            <KeyValues
              rows={[
                ["First seen", formatExact(new Date(trace.steps[0]!.at))],
                ...trace.deliveries.map(
                  ({ mailbox, messageId }) =>
                    [
                      "Mailbox",
                      <>
                        {mailbox} <IdChip id={messageId} label="message id" />
                      </>,
                    ] as const,
                ),
                ...(files.length === 0
                  ? []
                  : [["Files", <Breakable key="files" text={files.join(", ")} />] as const]),
              ]}
            />
          </Card>
          {(trades.length > 0 || paths.length > 0) && (
            <Card title="What it became">
              <KeyValues
                rows={[
                  ...toRows("Trade", trades, (key) => (
                    <Link to="/trades/$id" params={{ id: key }} className="text-accent underline">
                      <Breakable text={key} />
                    </Link>
                  )),
                  ...toRows("Archived", paths, (path) => <PathChip path={path} />),
                ]}
              />
            </Card>
          )}
        </div>
      </div>
    </>
  );
}

function tookWords(steps: readonly TimelineStep[]): string {
  if (steps.length === 1) return "One step is known.";
  const [took, worked] = [steps.at(-1)!.offsetMs, workOf(steps)];
  const waited = steps.some(({ isByPerson }) => isByPerson) ? ", the rest waiting" : "";
  return `${formatDuration(took)} from the first step to the last: ${formatDuration(worked)} of work${waited}.`;
}

/** The figures of the trade, as they were booked. */
function TradeCard({ trade }: { trade: TradeDetails }) {
  const { quantity, price, priceCurrency, currency } = trade;
  const money = (value: number | null) => (value === null ? "–" : formatAmount(value, currency));
  const rows = [
    ["Quantity", quantity === null ? "–" : formatNumber(quantity)],
    ["Price", price === null ? "–" : `${formatNumber(price)} ${priceCurrency ?? ""}`],
    ["Gross", money(trade.gross)],
    ["Fees", money(trade.fees)],
    ["Taxes", money(trade.taxes)],
    ["Net", money(trade.net)],
  ] as const;
  return (
    <Card title="Trade">
      <dl className="grid gap-1.5 p-4">
        {rows.map(([label, value]) => (
          <div key={label} className="flex justify-between gap-4 last:font-semibold">
            <dt className="text-text-2">{label}</dt>
            <dd className="tabular text-right">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

const toRows = (label: string, texts: readonly string[], show: (text: string) => ReactNode) =>
  texts.map((text, index) => [index === 0 ? label : `${label} ${index + 1}`, show(text)] as const);

function headlineOf({ steps }: Trace, trades: number): string {
  if (steps.some(hasFailed)) return "Processing failed.";
  const decided = steps.filter(({ kind }) => kind === "decision");
  if (decided.length > 0 && trades > 0)
    return trades === 1 ? "It became a trade." : `It became ${trades} trades.`;
  if (steps.some(({ what }) => what.startsWith("6 mark"))) return "It was ingested.";
  return "It was recorded as an event.";
}

function CopyLink() {
  return (
    <Button size="small" icon="link" shortcut="Y" onClick={copyLink}>
      Copy link
    </Button>
  );
}
