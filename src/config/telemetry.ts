/** Where traces and metrics go: the settings of OpenTelemetry and of Application Insights, under their usual names. */
import * as z from "zod";
import { Secret } from "../lib/redact.ts";

const HEADERS = /^\s*[\w-]+\s*=[^,]+(?:,\s*[\w-]+\s*=[^,]+)*$/;

export const TELEMETRY = {
  // A collector beside us, as clusters have it, speaks plain HTTP; spans contain no secrets.
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: "must be a URL" }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().regex(HEADERS, "must be name=value,…").optional(),
  OTEL_SERVICE_NAME: z.string().min(1).default("postroom"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_METRIC_EXPORT_INTERVAL: z.coerce.number().int().min(100).default(60_000),
  APPLICATIONINSIGHTS_CONNECTION_STRING: z
    .string()
    .regex(/InstrumentationKey=/i, "must contain InstrumentationKey")
    .optional(),
};

export interface TelemetrySettings {
  /** Without the path of a signal. */
  readonly otlp: {
    readonly endpoint: string;
    readonly headers: ReadonlyMap<string, Secret>;
  } | null;
  readonly azure: Secret | null;
  readonly serviceName: string;
  /** The share of traces that is kept, 0 to 1. */
  readonly share: number;
  readonly metricsEveryMs: number;
}

export function readTelemetry(
  settings: z.output<z.ZodObject<typeof TELEMETRY>>,
): TelemetrySettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = "" } =
    settings;
  const { APPLICATIONINSIGHTS_CONNECTION_STRING: azure } = settings;
  if (endpoint === undefined && azure === undefined) return null;
  return {
    otlp:
      endpoint === undefined
        ? null
        : { endpoint: endpoint.replace(/\/+$/, ""), headers: readHeaders(headers) },
    azure: azure === undefined ? null : new Secret(azure),
    serviceName: settings.OTEL_SERVICE_NAME,
    share: settings.OTEL_TRACES_SAMPLER_ARG,
    metricsEveryMs: settings.OTEL_METRIC_EXPORT_INTERVAL,
  };
}

function readHeaders(list: string): Map<string, Secret> {
  const pairs = list.split(",").filter((pair) => pair.includes("="));
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at).trim(), new Secret(decodeURIComponent(pair.slice(at + 1).trim()))];
    }),
  );
}
