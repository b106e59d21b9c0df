/**
 * Sends traces and metrics with OpenTelemetry's own SDK to an OTLP endpoint, and with Microsoft's exporter to
 * Application Insights. Their packages are optional, and are loaded only if a receiver is set.
 */
import type { TelemetrySettings } from "../config/telemetry.ts";
import { loadDriver } from "../lib/load-driver.ts";
import { type BeginSpan, setTracing } from "../lib/tracing.ts";
import { VERSION } from "../lib/version.ts";
import type { Closers, Foundation } from "./foundation.ts";
import { toOtelMetrics } from "./otel-metrics.ts";
import { type Exporter, watchExports } from "./watch-exports.ts";

export async function startTelemetry(base: Foundation, closers: Closers): Promise<void> {
  const { metrics } = base;
  const settings = base.config.telemetry;
  if (settings === null) return;
  const sdk = await loadSdk(settings);
  const resource = sdk.resourceFromAttributes({
    "service.name": settings.serviceName,
    "service.version": VERSION,
  });
  const receivers = openReceivers(sdk, settings, base);
  const tracers = new sdk.BasicTracerProvider({
    resource,
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(settings.share) }),
    spanProcessors: receivers.traces.map((each) => new sdk.BatchSpanProcessor(each, LIMITS)),
  });
  const producer = { collect: () => toOtelMetrics(metrics, resource) };
  const meters = new sdk.MeterProvider({
    resource,
    readers: receivers.metrics.map(
      (exporter) =>
        new sdk.PeriodicExportingMetricReader({
          exporter,
          metricProducers: [producer],
          exportIntervalMillis: settings.metricsEveryMs,
          exportTimeoutMillis: Math.min(settings.metricsEveryMs, TIMEOUT_MS),
        }),
    ),
  });
  setTracing(toBegin(sdk, tracers.getTracer("postroom", VERSION)));
  closers.push(async () => {
    setTracing(null);
    // Both first send what they still hold. A receiver that is down delays the shutdown by at most one export timeout.
    await Promise.allSettled([tracers.shutdown(), meters.shutdown()]);
  });
}

const TIMEOUT_MS = 5_000;
const LIMITS = { exportTimeoutMillis: TIMEOUT_MS, scheduledDelayMillis: 2_000 };
const KINDS = { internal: 0, server: 1, client: 2, consumer: 4 } as const;
const FAILED = 2;

function toBegin(sdk: Sdk, tracer: Tracer): BeginSpan {
  const contextOf = (trace: string) => {
    const [, traceId = "", spanId = "", flags = "00"] = trace.split("-");
    return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  };
  return (name, { kind, facts, cause, alsoFor }) => {
    const under =
      cause === null
        ? sdk.ROOT_CONTEXT
        : sdk.trace.setSpanContext(sdk.ROOT_CONTEXT, contextOf(cause));
    const links = alsoFor.map((trace) => ({ context: contextOf(trace) }));
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: facts, links }, under);
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      trace: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
      note: (more) => void span.setAttributes(more),
      end(code) {
        if (code !== null) span.setStatus({ code: FAILED, message: code });
        span.end();
      },
    };
  };
}

function openReceivers(sdk: Sdk, { otlp, azure }: TelemetrySettings, base: Foundation) {
  const traces: Exporter[] = [];
  const metrics: Exporter[] = [];
  const timeoutMillis = TIMEOUT_MS;
  if (otlp !== null) {
    const headers = Object.fromEntries(
      [...otlp.headers].map(([name, secret]) => [name, secret.reveal()]),
    );
    const at = (path: string) => ({ url: `${otlp.endpoint}${path}`, headers, timeoutMillis });
    const name = "OTEL_EXPORTER_OTLP_ENDPOINT";
    traces.push(watchExports(base, name, new sdk.OTLPTraceExporter!(at("/v1/traces"))));
    metrics.push(watchExports(base, name, new sdk.OTLPMetricExporter!(at("/v1/metrics"))));
  }
  if (azure !== null) {
    const connectionString = azure.reveal();
    const name = "Application Insights";
    traces.push(watchExports(base, name, new sdk.AzureMonitorTraceExporter!({ connectionString })));
    metrics.push(
      watchExports(base, name, new sdk.AzureMonitorMetricExporter!({ connectionString })),
    );
  }
  return { traces, metrics };
}

const SDK = [
  ...["@opentelemetry/api", "@opentelemetry/resources"],
  ...["@opentelemetry/sdk-trace-base", "@opentelemetry/sdk-metrics"],
];
const OTLP = [
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/exporter-metrics-otlp-http",
];
const AZURE = ["@azure/monitor-opentelemetry-exporter"];

function loadSdk({ otlp, azure }: TelemetrySettings): Promise<Sdk> {
  const names = [...SDK, ...(otlp === null ? [] : OTLP), ...(azure === null ? [] : AZURE)];
  // Their types are not installed either, so the compiler must not look for them.
  return loadDriver("sending traces and metrics", names, async () =>
    Object.assign({}, ...(await Promise.all(names.map((name) => import(name as string))))),
  );
}

type Context = object;
interface Tracer {
  startSpan(
    name: string,
    options: object,
    context: Context,
  ): {
    spanContext(): { traceId: string; spanId: string; traceFlags: number };
    setAttributes(attributes: object): unknown;
    setStatus(status: { code: number; message: string }): unknown;
    end(): void;
  };
}
type Make = new (options: object) => Exporter;

/** As much of their packages as is used here. */
interface Sdk {
  readonly ROOT_CONTEXT: Context;
  readonly trace: { setSpanContext(context: Context, span: object): Context };
  resourceFromAttributes(attributes: object): object;
  readonly BasicTracerProvider: new (
    options: object,
  ) => {
    getTracer(name: string, version: string): Tracer;
    shutdown(): Promise<void>;
  };
  readonly ParentBasedSampler: new (options: object) => object;
  readonly TraceIdRatioBasedSampler: new (share: number) => object;
  readonly BatchSpanProcessor: new (exporter: unknown, limits: object) => object;
  readonly MeterProvider: new (
    options: object,
  ) => {
    shutdown(): Promise<void>;
  };
  readonly PeriodicExportingMetricReader: new (options: object) => object;
  readonly OTLPTraceExporter?: Make;
  readonly OTLPMetricExporter?: Make;
  readonly AzureMonitorTraceExporter?: Make;
  readonly AzureMonitorMetricExporter?: Make;
}
