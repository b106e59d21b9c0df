/** Changes of a drive since a link was issued; deletions carry the `deleted` facet. */
import { GraphProblem } from "../graph/call/graph-error.ts";
import type { TenantResponse } from "../http.ts";
import { writeQuery } from "../odata/write-query.ts";
import { checkItem } from "./drive-access.ts";
import { type ItemCall, loadTarget } from "./drive-call.ts";
import { readTop, selectFrom } from "./drive-options.ts";
import { viewDeleted, viewItem } from "./item-view.ts";
import type { Container, Item } from "./store/drive-model.ts";

const PAGE_SIZE = 200;

/** Changes after `since` up to `until`; those up to `at` were already returned. */
interface Position {
  readonly since: number;
  readonly until: number;
  readonly at: number;
}

export function drivesDelta(call: ItemCall, given?: string): TenantResponse {
  checkItem(call, "read");
  const folder = loadTarget(call);
  const token = given ?? call.request.query.get("token");
  refuseIfExpired(call, token);
  const { container } = call;
  if (token === "latest") return answer(call, [], null, container.drive.changes);
  const position = readToken(container, token);
  const isFirst = position.since === 0;
  const changed = [...container.drive.items.values()]
    .filter((item) => item.changedAt > position.at && item.changedAt <= position.until)
    .filter((item) => !(isFirst && item.isDeleted) && isBelow(container, item, folder))
    .sort((one, other) => one.changedAt - other.changedAt);
  const top = readTop(call.request.query);
  const size = top ?? Number(call.context.switches["driveDeltaPageSize"] ?? PAGE_SIZE);
  const page = changed.slice(0, size);
  const next = changed.length > size ? { ...position, at: page.at(-1)!.changedAt } : null;
  return answer(call, page, next, position.until);
}

function answer(
  call: ItemCall,
  page: Item[],
  next: Position | null,
  until: number,
): TenantResponse {
  const { context, container, request } = call;
  const path = request.path.replace(/\/delta.*$/i, "/delta");
  const query = new URLSearchParams(request.query);
  const link = (token: string) => {
    query.set("token", token);
    return `${context.origin()}${path}?${writeQuery(query)}`;
  };
  const ends =
    next === null
      ? { "@odata.deltaLink": link(writeToken({ since: until, until: 0, at: until })) }
      : { "@odata.nextLink": link(writeToken(next)) };
  const view = (item: Item) =>
    item.isDeleted
      ? viewDeleted(container, item)
      : selectFrom(viewItem(call, container, item), query);
  return {
    status: 200,
    body: {
      "@odata.context": `${context.origin()}/${call.version}/$metadata#Collection(driveItem)`,
      ...ends,
      value: page.map(view),
    },
  };
}

function writeToken({ since, until, at }: Position): string {
  return Buffer.from(`${since};${until};${at}`).toString("base64url");
}

/** A token, an ISO time, or null for everything. */
function readToken(container: Container, token: string | null): Position {
  const { changes, items } = container.drive;
  if (token === null || token === "") return { since: 0, until: changes, at: 0 };
  if (/^\d{4}-\d\d-\d\dT/.test(token)) {
    const fromMs = Date.parse(token);
    const before = [...items.values()].filter((item) => item.changedAtMs < fromMs);
    const at = before.reduce((highest, item) => Math.max(highest, item.changedAt), 0);
    return { since: at, until: changes, at };
  }
  const parts = Buffer.from(token, "base64url").toString().split(";").map(Number);
  const [since, until, at] = parts as [number, number, number];
  if (parts.length !== 3 || parts.some((part) => !Number.isInteger(part)) || at > changes) {
    throw new GraphProblem(400, "invalidRequest", "The delta token is malformed.");
  }
  return { since, until: until === 0 ? changes : until, at };
}

/** The fault `expire-delta` refuses any existing delta link with 410, as the service sometimes does. */
function refuseIfExpired(call: ItemCall, token: string | null): void {
  if (token === null || token === "" || token === "latest") return;
  const fault = call.context.faults.strike("expire-delta", {
    part: "drives",
    drive: call.container.id,
  });
  if (fault === null) return;
  const code = String(fault.options["code"] ?? "resyncChangesApplyDifferences");
  const path = call.request.path.replace(/\/delta.*$/i, "/delta");
  throw new GraphProblem(410, code, "Resync required. Start again with the given link.", {
    headers: { location: `${call.context.origin()}${path}` },
    innerCode: "resyncRequired",
  });
}

function isBelow(container: Container, item: Item, folder: Item): boolean {
  for (let at: Item | undefined = item; at !== undefined; ) {
    if (at.id === folder.id) return true;
    at = at.parentId === null ? undefined : container.drive.items.get(at.parentId);
  }
  return false;
}
