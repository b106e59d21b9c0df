/** Answers that show rows: a page of a list, or one row. */
import type { TenantResponse } from "../http.ts";
import { answer, apiRoot, type DataverseCall } from "./dataverse-call.ts";
import { listRows, readOptions, readPage, readSelect, viewWithExpand } from "./query.ts";
import type { Row } from "./rows.ts";
import type { Table } from "./schema.ts";

function contextOf(call: DataverseCall, table: Table, select: string | undefined): string {
  return `${apiRoot(call)}/$metadata#${table.setName}${select ? `(${select})` : ""}`;
}

/** Rows of a set, or of a collection of one row, as a page. */
export function answerList(
  call: DataverseCall,
  table: Table,
  candidates: readonly Row[],
): TenantResponse {
  const options = readOptions(call.request.query);
  readSelect(table, options);
  const { rows, total } = listRows(call, table, candidates, options);
  const { start, end, next } = readPage(call.request, options, call.pageSize);
  const isMore = next !== null && end < total;
  return answer(call, 200, {
    "@odata.context": contextOf(call, table, options.get("$select")),
    ...(options.get("$count") === "true" ? { "@odata.count": Math.min(total, 5000) } : {}),
    value: rows.slice(start, end).map((row) => viewWithExpand(call, table, row, options)),
    ...(isMore
      ? { "@odata.nextLink": `${call.context.origin()}${call.request.path}?${next}` }
      : {}),
  });
}

export function viewOne(call: DataverseCall, table: Table, row: Row): Record<string, unknown> {
  const options = readOptions(call.request.query);
  const context = `${contextOf(call, table, options.get("$select"))}/$entity`;
  return { "@odata.context": context, ...viewWithExpand(call, table, row, options) };
}
