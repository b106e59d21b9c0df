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
}

const LONG_WAIT_MS = 1000;

export function Timeline({ steps }: { steps: readonly TimelineStep[] }) {
  const longestMs = Math.max(1, ...steps.map((step) => step.durationMs ?? 0));
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
            {gap > LONG_WAIT_MS && <Wait ms={gap} />}
            {before?.group !== step.group && (
              <h3 className="pb-1 pl-[124px] pt-4 text-label font-medium text-text-3 first:pt-2 md:pl-[148px]">
                {step.group}
              </h3>
            )}
            <div className="grid grid-cols-[64px_20px_minmax(0,1fr)] items-start gap-3 px-4 py-1.5 md:grid-cols-[88px_20px_minmax(0,1fr)_180px]">
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
                <span className="col-start-3 flex items-center gap-1.5 text-label text-text-2 md:col-start-4">
                  <span
                    aria-hidden
                    className="h-2 min-w-[3px] rounded-[2px] bg-accent"
                    style={{ width: `${(step.durationMs / longestMs) * 120}px` }}
                  />
                  <span className="tabular">{formatDuration(step.durationMs)}</span>
                </span>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function Wait({ ms }: { ms: number }) {
  return (
    <div className="flex items-center gap-2 py-1 pl-[124px] text-attention md:pl-[148px]">
      <Icon name="waiting" size={14} /> Waited {formatDuration(ms)}
    </div>
  );
}

function formatOffset(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(3)} s` : formatDuration(ms);
}
