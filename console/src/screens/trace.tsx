/** What happened to a message: every step, with its duration and the waits between them. */
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type Trace, useTrace } from "../data/trace.ts";
import { Button } from "../design/button.tsx";
import { Card, KeyValues } from "../design/card.tsx";
import { Loading } from "../design/feedback.tsx";
import { formatDuration, formatExact } from "../design/format.ts";
import { Timeline } from "../design/timeline.tsx";
import { Breakable, IdChip, PathChip } from "../design/values.tsx";
import { Failure } from "../shell/failure.tsx";
import { PageFrame } from "../shell/page-frame.tsx";
import { toSteps, workOf } from "./trace/trace-words.tsx";

export function TracePage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const { data, error, refetch } = useTrace(id);
  return (
    <PageFrame title="Trace" note={id} actions={<CopyLink />}>
      {data ? (
        <TraceView trace={data} />
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the trace" rows={12} />
      )}
    </PageFrame>
  );
}

export function TraceView({ trace }: { trace: Trace }) {
  const steps = toSteps(trace);
  const first = trace.steps[0]!;
  const lastMs = steps.at(-1)!.offsetMs;
  const trades = [
    ...new Set(
      trace.steps.flatMap(({ facts }) => (facts["trade"] ? [String(facts["trade"])] : [])),
    ),
  ];
  const files = trace.steps.flatMap(({ facts }) =>
    Array.isArray(facts["files"]) ? facts["files"] : [],
  ) as string[];
  const paths = trace.steps.flatMap(({ facts }) =>
    Array.isArray(facts["paths"]) ? facts["paths"] : [],
  ) as string[];
  return (
    <>
      <h2 className="text-verdict font-semibold">{headlineOf(trace, trades.length)}</h2>
      <p className="mb-6 mt-1 text-prose text-text-2">
        {steps.length === 1
          ? "One step is known."
          : `It took ${formatDuration(lastMs)}, of which ${formatDuration(workOf(steps))} was work.`}
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_360px]">
        <Card>
          <Timeline steps={steps} />
        </Card>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <Card title="Where it came from">
            <KeyValues
              rows={[
                ["First seen", formatExact(new Date(first.at))],
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

const toRows = (label: string, texts: readonly string[], show: (text: string) => ReactNode) =>
  texts.map((text, index) => [index === 0 ? label : `${label} ${index + 1}`, show(text)] as const);

function headlineOf({ steps }: Trace, trades: number): string {
  const failed = steps.find(
    ({ facts }) => facts["state"] === "Failed" || facts["state"] === "Poisoned",
  );
  if (failed !== undefined) return "Processing failed.";
  const decided = steps.filter(({ kind }) => kind === "decision");
  if (decided.length > 0 && trades > 0)
    return trades === 1 ? "It became a trade." : `It became ${trades} trades.`;
  if (steps.some(({ what }) => what.startsWith("6 mark"))) return "It was ingested.";
  return "It was recorded as an event.";
}

function CopyLink() {
  return (
    <Button
      size="small"
      icon="link"
      shortcut="Y"
      onClick={() => void navigator.clipboard.writeText(location.href)}
    >
      Copy link
    </Button>
  );
}
