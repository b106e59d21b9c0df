/** Many reads of one mailbox in one request. Only reads: a batch may be sent again as a whole. */
import { Fault } from "../../lib/fault.ts";
import { lowerCaseNames } from "../../lib/http.ts";
import { retryAfterMs } from "../transport/patience.ts";
import { GraphApiError } from "./graph-fault.ts";

/** Graph's limit. */
export const BATCH_SIZE = 20;

/** A GET relative to `/v1.0`. */
export interface BatchItem {
  readonly path: string;
  readonly headers?: Record<string, string>;
}

export type BatchResult<T> =
  | { readonly isOk: true; readonly body: T }
  | { readonly isOk: false; readonly error: GraphApiError };

export interface BatchAnswer {
  responses: { id: string; status: number; headers?: Record<string, string>; body?: unknown }[];
}

/** Returns the results by index. Graph answers in any order; a missing answer is a fault. */
export function readBatch<T>(
  items: readonly BatchItem[],
  indexes: readonly number[],
  { responses }: BatchAnswer,
  nowMs: number,
): Map<number, BatchResult<T>> {
  const results = new Map(
    responses.map((response) => {
      const index = Number(response.id);
      return [index, toResult<T>(items[index], response, nowMs)] as const;
    }),
  );
  if (indexes.some((index) => !results.has(index)))
    throw new Fault("graph.bad-answer", "Graph did not answer every part of a batch");
  return results;
}

function toResult<T>(
  item: BatchItem | undefined,
  { status, body, headers = {} }: BatchAnswer["responses"][number],
  nowMs: number,
): BatchResult<T> {
  if (item === undefined)
    throw new Fault("graph.bad-answer", "Graph answered a part of a batch that was not asked for");
  if (status >= 200 && status < 300) return { isOk: true, body: body as T };
  const answer = {
    status,
    headers: lowerCaseNames(headers),
    body: Buffer.from(JSON.stringify(body ?? {})),
  };
  const askedForMs = retryAfterMs(answer.headers["retry-after"], nowMs);
  return { isOk: false, error: new GraphApiError(item.path.split("?")[0]!, answer, askedForMs) };
}
