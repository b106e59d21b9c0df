/** A receiver of traces and metrics on loopback: OTLP as JSON, and the ingestion of Application Insights. */
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { createLocalTls } from "../../tenant/tls.ts";

export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly service: string;
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}
interface TraceBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
}
interface MetricBody {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  }[];
}

export async function startReceiver() {
  const bodies: { path: string; text: string; headers: IncomingHttpHeaders }[] = [];
  const { key, cert, ca } = await createLocalTls();
  const server = createServer({ key, cert }, (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const bytes = Buffer.concat(parts);
      const text = request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes;
      const path = request.url ?? "";
      bodies.push({ path, text: text.toString("utf8"), headers: request.headers });
      const items = path.includes("/track")
        ? { itemsReceived: 1, itemsAccepted: 1, errors: [] }
        : {};
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(items));
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const of = <T>(path: string): T[] =>
    bodies.filter((each) => each.path === path).map(({ text }) => JSON.parse(text) as T);
  return {
    ca,
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: (): ReceivedSpan[] =>
      of<TraceBody>("/v1/traces")
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ resource, scopeSpans }) => {
          const named = resource.attributes.find(({ key }) => key === "service.name");
          const service = named?.value.stringValue ?? "";
          return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })));
        }),
    metricNames: (): Set<string> =>
      new Set(
        of<MetricBody>("/v1/metrics")
          .flatMap(({ resourceMetrics }) => resourceMetrics)
          .flatMap(({ scopeMetrics }) => scopeMetrics)
          .flatMap(({ metrics }) => metrics.map(({ name }) => name)),
      ),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
