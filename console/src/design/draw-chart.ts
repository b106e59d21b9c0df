import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Series } from "./series.ts";

const HALF_TIME_PX = 16;

const formatMinute = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

const aloneIn = (values: Series["values"]): number[] =>
  values.flatMap((value, at) =>
    value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null
      ? [at]
      : [],
  );

export function drawChart(
  element: HTMLElement,
  chart: { times: readonly number[]; series: readonly Series[]; unit: string; height: number },
): () => void {
  const colour = (name: string) =>
    getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const bars = uPlot.paths.bars!({ size: [0.7, 24] });
  // Read when the axis is drawn, because the theme may have changed since.
  const axis = {
    stroke: () => colour("--text-2"),
    font: "11px Inter Variable, sans-serif",
    ticks: { show: false },
  };
  const make = () =>
    new uPlot(
      {
        width: element.clientWidth,
        height: chart.height,
        legend: { show: false },
        cursor: { show: false },
        padding: [8, 0, 0, 0],
        scales: { y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.1)] } },
        axes: [
          {
            ...axis,
            size: 24,
            grid: { show: false },
            // At the left edge half of the time would be cut off.
            values: (plot, ticks) =>
              ticks.map((tick) =>
                plot.valToPos(tick, "x") < HALF_TIME_PX ? "" : formatMinute(tick),
              ),
          },
          {
            ...axis,
            side: 1,
            size: 40,
            grid: { stroke: colour("--border"), width: 1 },
            values: (_plot, ticks) => ticks.map((tick) => `${tick}${chart.unit}`),
          },
        ],
        series: [
          {},
          ...chart.series.map((each) => ({
            stroke: colour(`--series-${each.colour}`),
            width: each.isBar ? 0 : 1.5,
            // A value without neighbours has no line: without a point it would not be seen.
            points: each.isBar
              ? { show: false }
              : { show: true, size: 4, filter: () => aloneIn(each.values) },
            ...(each.isBar ? { paths: bars, fill: colour(`--series-${each.colour}`) } : {}),
            ...(each.isDashed ? { dash: [4, 3] } : {}),
          })),
        ],
      },
      [[...chart.times], ...chart.series.map((each) => [...each.values])] as uPlot.AlignedData,
      element,
    );
  let plot = make();
  const redraw = () => {
    plot.destroy();
    plot = make();
  };
  const size = new ResizeObserver(() =>
    plot.setSize({ width: element.clientWidth, height: chart.height }),
  );
  size.observe(element);
  const theme = new MutationObserver(redraw);
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => {
    size.disconnect();
    theme.disconnect();
    plot.destroy();
  };
}
