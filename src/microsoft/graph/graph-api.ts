import type { Api } from "../transport/transport.ts";
import { GraphApiError } from "./graph-fault.ts";

export const GRAPH: Api = {
  name: "Graph",
  patience: { tries: 5, waitHereMs: 10_000, backoff: { firstMs: 500, capMs: 8_000 } },
  codes: { throttled: "graph.throttled", unreadable: "graph.bad-answer" },
  toError: (place, answer, askedForMs) => new GraphApiError(place, answer, askedForMs),
};

/** Answers like Graph, but its URL is a secret that replaces the token. */
export const UPLOAD_SESSION: Api = { ...GRAPH, name: "the upload session", isUrlSecret: true };
