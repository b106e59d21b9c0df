/** A small time chart. The canvas library is fetched when the first chart is shown. */
import { useEffect, useRef } from "react";
import { formatClock } from "./format.ts";
import type { Series } from "./series.ts";

export function Chart({
  times,
  series,
  unit,
  summary,
  height = 132,
}: {
  times: readonly number[];
  series: readonly Series[];
  unit: string;
  summary: string;
  height?: number;
}) {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    let remove = (): void => {};
    let isGone = false;
    void import("./draw-chart.ts").then(({ drawChart }) => {
      if (!isGone) remove = drawChart(element, { times, series, unit, height });
    });
    return () => {
      isGone = true;
      remove();
    };
  }, [times, series, unit, height]);
  const last = times.at(-1);
  return (
    <figure className="px-4 pt-4 pb-2">
      <div ref={holder} aria-hidden style={{ height: height + 4 }} />
      <figcaption className="sr-only">
        {summary} {last === undefined ? "" : `Until ${formatClock(new Date(last * 1000))}.`}
      </figcaption>
    </figure>
  );
}

export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <span className="flex gap-3 text-label text-text-2">
      {series.map((each) => (
        <span key={each.label} className="inline-flex items-center gap-1.5">
          <span
            aria-hidden
            className={`inline-block ${each.isBar ? "size-2.5 rounded-[2px]" : "w-4 border-t-2"} ${each.isDashed ? "border-dashed" : ""}`}
            style={
              each.isBar
                ? { background: `var(--series-${each.colour})` }
                : { borderColor: `var(--series-${each.colour})` }
            }
          />
          {each.label}
        </span>
      ))}
    </span>
  );
}
