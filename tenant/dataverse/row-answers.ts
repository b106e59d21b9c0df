/** Responses that show rows: a page of a list, a count, changes, or one row. */
import type { TenantResponse } from "../http.ts";
import { writeQuery } from "../odata/write-query.ts";
import { answer, apiRoot, type DataverseCall } from "./core/dataverse-call.ts";
import { badQuery } from "./core/dataverse-error.ts";
import { eTagOf, type Row } from "./core/rows.ts";
import { mayRead } from "./core/security.ts";
import { applyTo } from "./query/apply.ts";
import { changesSince, checkTracking, deltaLink } from "./query/changes.ts";
import { checkExpand, contextOf, viewWithExpand } from "./query/expand.ts";
import { answerFetch } from "./query/fetch-answer.ts";
import { listRows } from "./query/list-rows.ts";
import {
  COUNT_OPTIONS,
  LIST_OPTIONS,
  type Options,
  ROW_OPTIONS,
  readOptions,
  readTruth,
} from "./query/options.ts";
import { PAGE_MAX, readPage } from "./query/pages.ts";
import type { Table } from "./schema/schema.ts";

const TOTAL = "Microsoft.Dynamics.CRM.totalrecordcount";
const TOTAL_EXCEEDED = "Microsoft.Dynamics.CRM.totalrecordcountlimitexceeded";

/** It changes whenever a table does; here none ever does. */
const SCHEMA_VERSION = "Microsoft.Dynamics.CRM.globalmetadataversion";

/** Rows of a set, or of a collection of one row. */
export function answerList(
  call: DataverseCall,
  table: Table,
  candidates: readonly Row[],
): TenantResponse {
  const options = readOptions(call.request.query, LIST_OPTIONS);
  const fetchXml = options.get("fetchXml");
  if (fetchXml !== undefined)
    return answerAlone(options, "fetchXml", () => answerFetch(call, table, fetchXml));
  const apply = options.get("$apply");
  if (apply !== undefined) return answerApply(call, table, candidates, options, apply);
  const token = options.get("$deltatoken");
  if (call.preferences.tracksChanges || token !== undefined) checkTracking(options);
  if (token !== undefined) return answerChanges(call, table, options, token);
  return answerPage(call, table, candidates, options);
}

function answerAlone(options: Options, name: string, read: () => TenantResponse): TenantResponse {
  if (options.size === 1) return read();
  throw badQuery(`The query parameter ${name} cannot be combined with other query options.`);
}

function answerApply(
  call: DataverseCall,
  table: Table,
  candidates: readonly Row[],
  options: Options,
  apply: string,
): TenantResponse {
  return answerAlone(options, "$apply", () => {
    const readable = candidates.filter((row) => mayRead(call, table, row));
    return answer(call, 200, {
      "@odata.context": `${apiRoot(call)}/$metadata#${table.setName}`,
      value: applyTo(call, table, readable, apply),
    });
  });
}

function answerPage(
  call: DataverseCall,
  table: Table,
  candidates: readonly Row[],
  options: Options,
): TenantResponse {
  checkExpand(call, table, options);
  const rows = listRows(call, table, candidates, options);
  const { start, end, next } = readPage(call, options);
  const isMore = next !== null && end < rows.length;
  const { tracksChanges, honoured } = call.preferences;
  if (tracksChanges) honoured.add("odata.track-changes");
  const nextLink = `${call.context.origin()}${call.request.path}?${writeQuery(next ?? [])}`;
  return answer(call, 200, {
    "@odata.context": contextOf(call, table, options),
    ...countsOf(call, rows.length, readTruth(options, "$count")),
    value: rows.slice(start, end).map((row) => viewWithExpand(call, table, row, options)),
    ...(isMore ? { "@odata.nextLink": nextLink } : {}),
    ...(tracksChanges && !isMore ? { "@odata.deltaLink": deltaLink(call, table, options) } : {}),
  });
}

/** Dataverse counts up to 5,000; an annotation says whether there are more. */
function countsOf({ preferences }: DataverseCall, total: number, isCounted: boolean) {
  return {
    ...(preferences.wants(SCHEMA_VERSION) ? { [`@${SCHEMA_VERSION}`]: "1000000" } : {}),
    ...(isCounted ? { "@odata.count": Math.min(total, PAGE_MAX) } : {}),
    ...(preferences.wants(TOTAL)
      ? { [`@${TOTAL}`]: isCounted ? Math.min(total, PAGE_MAX) : -1 }
      : {}),
    ...(preferences.wants(TOTAL_EXCEEDED)
      ? { [`@${TOTAL_EXCEEDED}`]: isCounted && total > PAGE_MAX }
      : {}),
  };
}

function answerChanges(
  call: DataverseCall,
  table: Table,
  options: Options,
  token: string,
): TenantResponse {
  const { changed, deleted } = changesSince(call, table, token);
  const readable = changed.filter((row) => mayRead(call, table, row));
  return answer(call, 200, {
    "@odata.context": `${contextOf(call, table, options)}/$delta`,
    "@odata.deltaLink": deltaLink(call, table, options),
    value: [
      ...readable.map((row) => viewWithExpand(call, table, row, options)),
      ...deleted.map(({ id }) => ({
        "@odata.context": `${apiRoot(call)}/$metadata#${table.setName}/$deletedEntity`,
        id,
        reason: "deleted",
      })),
    ],
  });
}

/** `/$count` after a collection. */
export function answerCount(
  call: DataverseCall,
  table: Table,
  candidates: readonly Row[],
): TenantResponse {
  const options = readOptions(call.request.query, COUNT_OPTIONS);
  const token = options.get("$deltatoken");
  if (token !== undefined) checkTracking(options);
  const changes = token === undefined ? null : changesSince(call, table, token);
  const total =
    changes === null
      ? listRows(call, table, candidates, options).length
      : changes.changed.length + changes.deleted.length;
  return {
    status: 200,
    headers: { "content-type": "text/plain", "odata-version": "4.0" },
    body: String(Math.min(total, PAGE_MAX)),
  };
}

/** The ids of a collection, after `/$ref`. */
export function answerReferences(
  call: DataverseCall,
  table: Table,
  candidates: readonly Row[],
): TenantResponse {
  const options = readOptions(call.request.query, ["$filter", "$orderby", "$top"]);
  const rows = listRows(call, table, candidates, options);
  const { start, end } = readPage(call, options);
  return answer(call, 200, {
    "@odata.context": `${apiRoot(call)}/$metadata#Collection($ref)`,
    value: rows.slice(start, end).map(({ id }) => ({ "@odata.id": addressOf(call, table, id) })),
  });
}

export function addressOf(call: DataverseCall, table: Table, id: string): string {
  return `${apiRoot(call)}/${table.setName}(${id})`;
}

export function viewOne(call: DataverseCall, table: Table, row: Row): Record<string, unknown> {
  const options = readOptions(call.request.query, ROW_OPTIONS);
  const context = `${contextOf(call, table, options)}/$entity`;
  return { "@odata.context": context, ...viewWithExpand(call, table, row, options) };
}

/** Checks the options of a request about one row before anything is done. */
export function checkRowOptions(call: DataverseCall, table: Table): Options {
  const options = readOptions(call.request.query, ROW_OPTIONS);
  checkExpand(call, table, options);
  return options;
}

/** A representation names the row itself, so the header is omitted then. */
export function answerWritten(
  call: DataverseCall,
  table: Table,
  row: Row,
  text: string,
  status: number,
): TenantResponse {
  if (call.preferences.wantsRepresentation) {
    return answer(call, status, viewOne(call, table, row), { etag: eTagOf(row) });
  }
  const address = addressOf(call, table, text);
  return answer(call, 204, undefined, { location: address, "odata-entityid": address });
}
