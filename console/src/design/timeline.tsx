/** The life of one thing, from top to bottom, each step with its offset and its duration. */
import type { ReactNode } from "react";
import { formatDuration } from "./format.ts";
import { Icon, type IconName } from "./icon.tsx";
import { Breakable } from "./values.tsx";

export interface TimelineStep {
  readonly key: string;
  readonly group: string;
  readonly icon: IconName;
  readonly what: string;
  readonly detail?: ReactNode;
  readonly offsetMs: number;
  readonly durationMs: number | null;
  readonly isFailed?: boolean;
  /** A person acts here: the wait before it was for them. */
  readonly isByPerson?: boolean;
}

const LONG_WAIT_MS = 1000;
const BARS_PX = 112;

export function Timeline({ steps }: { steps: readonly TimelineStep[] }) {
  const workMs = Math.max(1, workBefore(steps, steps.length));
  return (
    <ol className="py-2">
      {steps.map((step, index) => {
        const before = steps[index - 1];
        const gap =
          before === undefined ? 0 : step.offsetMs - before.offsetMs - (step.durationMs ?? 0);
        return (
          <li
            key={step.key}
            className="relative before:absolute before:inset-y-0 before:left-[100px] before:w-px before:bg-border first:before:top-10 last:before:bottom-6 md:before:left-[124px]"
          >
            {gap > LONG_WAIT_MS && <Wait ms={gap} isForPerson={step.isByPerson === true} />}
            {before?.group !== step.group && (
              <h3 className="pb-1 pl-[124px] pt-4 text-label font-medium text-text-3 first:pt-2 md:pl-[148px]">
                {step.group}
              </h3>
            )}
            <div className="grid grid-cols-[64px_20px_minmax(0,1fr)] items-start gap-x-3 px-4 py-1.5 md:grid-cols-[88px_20px_minmax(0,1fr)_180px]">
              <span className="tabular text-right text-label leading-5 text-text-2">
                +{formatOffset(step.offsetMs)}
              </span>
              <Icon
                name={step.icon}
                className={`relative mt-0.5 bg-surface ring-4 ring-surface ${step.isFailed ? "text-failed" : "text-text-2"}`}
              />
              <span className="min-w-0 break-words">
                <b className="font-medium">{step.what}</b>{" "}
                <span className="text-text-2">
                  {typeof step.detail === "string" ? <Breakable text={step.detail} /> : step.detail}
                </span>
              </span>
              {step.durationMs !== null && (
                <span className="col-start-3 flex items-center gap-1.5 text-label leading-5 text-text-2 md:col-start-4">
                  <span
                    aria-hidden
                    className="hidden h-2 md:block"
                    style={{ width: `${(workBefore(steps, index) / workMs) * BARS_PX}px` }}
                  />
                  <span
                    aria-hidden
                    className="h-2 min-w-[3px] rounded-[2px] bg-series-1"
                    style={{ width: `${(step.durationMs / workMs) * BARS_PX}px` }}
                  />
                  <span className="tabular whitespace-nowrap">
                    {formatDuration(step.durationMs)}
                  </span>
                </span>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** How long the steps before this one worked: the waits between them are left out of the bars. */
const workBefore = (steps: readonly TimelineStep[], index: number): number =>
  steps.slice(0, index).reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);

function Wait({ ms, isForPerson }: { ms: number; isForPerson: boolean }) {
  return (
    <div className="relative flex items-center gap-2 py-1.5 pl-[124px] text-attention before:absolute before:inset-y-0 before:left-[99px] before:border-l-[3px] before:border-attention before:border-dotted before:bg-surface md:pl-[148px] md:before:left-[123px]">
      <Icon name="waiting" size={14} /> Waited {formatDuration(ms)}
      {isForPerson && " for a person"}
    </div>
  );
}

function formatOffset(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(3)} s` : formatDuration(ms);
}
