/** The metrics that `/metrics` shows, in OpenTelemetry's data model, so that both report the same. */
import type { Registry } from "prom-client";
import { VERSION } from "../lib/version.ts";

interface Sample {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
}
interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram" | "summary";
  readonly values: readonly Sample[];
}

const CUMULATIVE = 1;
const DATA_POINT = { histogram: 0, gauge: 2, sum: 3 } as const;

/** When this process began to count. */
const begun = toTime(performance.timeOrigin);

export async function toOtelMetrics(registry: Registry, resource: object) {
  const collected = (await registry.getMetricsAsJSON()) as unknown as readonly Metric[];
  const times = { startTime: begun, endTime: toTime(performance.timeOrigin + performance.now()) };
  const metrics = collected
    .filter(({ values }) => values.length > 0)
    .map((each) => toMetric(each, times));
  const scopeMetrics = [{ scope: { name: "postroom", version: VERSION }, metrics }];
  return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
}

function toMetric({ name, help, type, values }: Metric, times: object) {
  const about = { name, description: help, unit: "", valueType: 1, advice: {} };
  const base = { aggregationTemporality: CUMULATIVE };
  if (type === "histogram")
    return {
      ...base,
      descriptor: { ...about, type: "HISTOGRAM" },
      dataPointType: DATA_POINT.histogram,
      dataPoints: toHistograms(values).map((point) => ({ ...times, ...point })),
    };
  const dataPoints = values.map(({ value, labels }) => ({ ...times, value, attributes: labels }));
  return type === "counter"
    ? {
        ...base,
        dataPoints,
        isMonotonic: true,
        dataPointType: DATA_POINT.sum,
        descriptor: { ...about, type: "COUNTER" },
      }
    : {
        ...base,
        dataPoints,
        dataPointType: DATA_POINT.gauge,
        descriptor: { ...about, type: "GAUGE" },
      };
}

/** Prometheus counts all values up to each bound; OpenTelemetry those between two. */
function toHistograms(values: readonly Sample[]) {
  const groups = new Map<string, { labels: Sample["labels"]; samples: Sample[] }>();
  for (const sample of values) {
    const { le: _, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    const group = groups.get(key) ?? { labels, samples: [] };
    group.samples.push(sample);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ labels, samples }) => {
    const ending = (end: string) => samples.find((each) => each.metricName?.endsWith(end))?.value;
    const upTo = samples
      .filter(({ labels: { le } }) => le !== undefined && le !== "+Inf")
      .sort((one, other) => Number(one.labels["le"]) - Number(other.labels["le"]));
    const count = ending("_count") ?? 0;
    const totals = [...upTo.map(({ value }) => value), count];
    const counts = totals.map((total, index) => total - (totals[index - 1] ?? 0));
    const boundaries = upTo.map(({ labels: { le } }) => Number(le));
    const value = { buckets: { boundaries, counts }, sum: ending("_sum") ?? 0, count };
    return { attributes: labels, value };
  });
}

/** Seconds and nanoseconds, as the SDK has times. */
function toTime(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}
