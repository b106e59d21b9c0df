/** Where a delta call begins: at the link it follows, or at the start of a new round. */
import type { GraphCall } from "../call/graph-call.ts";
import { badRequest } from "../call/graph-error.ts";
import type { MailScope, MailWorld } from "../messages/mail-scope.ts";
import { parseMessageFilter } from "../messages/message-query.ts";
import { parseSelect } from "../messages/message-view.ts";
import type { DeltaOptions, SyncPoint, SyncTokens } from "./sync-tokens.ts";

export interface DeltaWorld extends MailWorld {
  readonly tokens: SyncTokens;
}

const FIRST_OPTIONS = new Set([
  "$select",
  "$top",
  "$expand",
  "$filter",
  "$orderby",
  "changetype",
  "$deltatoken",
  "$skiptoken",
]);

export function readPoint(world: DeltaWorld, call: GraphCall, scope: MailScope): SyncPoint {
  const { query } = call.request;
  const token = query.get("$skiptoken") ?? query.get("$deltatoken");
  if (token === "latest") {
    throw badRequest(
      "The '$deltatoken=latest' option is not supported for this resource.",
      "ErrorInvalidUrlQuery",
    );
  }
  if (token !== null && token !== "")
    return world.tokens.read(token, world.context.switches.deltaGenerations);
  return world.tokens.start(readOptions(query), scope.mailbox.sequence);
}

/** Options count only in the first request; afterwards the links carry them. */
function readOptions(query: URLSearchParams): DeltaOptions {
  for (const name of query.keys()) {
    if (name.startsWith("$") && !FIRST_OPTIONS.has(name.toLowerCase())) {
      throw badRequest(
        `The query parameter '${name}' is not supported with delta.`,
        "ErrorInvalidUrlQuery",
      );
    }
  }
  const filter = query.get("$filter");
  if (filter !== null && !/^\s*receivedDateTime\s+(ge|gt)\s+\S+\s*$/i.test(filter)) {
    throw badRequest(
      "Delta supports only filters of the form receivedDateTime ge or gt a value.",
      "ErrorInvalidUrlQueryFilter",
    );
  }
  if (filter !== null) parseMessageFilter(filter);
  const order = query.get("$orderby");
  if (order !== null && !/^\s*receivedDateTime\s+desc\s*$/i.test(order)) {
    throw badRequest("Delta supports only $orderby=receivedDateTime desc.", "ErrorInvalidUrlQuery");
  }
  const changeType = query.get("changeType");
  if (changeType !== null && !/^(created|updated|deleted)$/i.test(changeType)) {
    throw badRequest(
      `'${changeType}' is not one of created, updated, deleted.`,
      "ErrorInvalidUrlQuery",
    );
  }
  parseSelect(query.get("$select"));
  const top = query.get("$top");
  if (top !== null && !/^[1-9]\d*$/.test(top))
    throw badRequest(
      `Invalid value '${top}' for $top query option found.`,
      "RequestBroker--ParseUri",
    );
  return {
    select: query.get("$select"),
    expand: query.get("$expand"),
    top: top === null ? null : Math.min(Number(top), 1000),
    filter,
    changeType: changeType?.toLowerCase() ?? null,
  };
}
