/** Change tracking: `Prefer: odata.track-changes` and the delta link that it returns. */
import { apiRoot, type DataverseCall } from "../core/dataverse-call.ts";
import { badQuery, DataverseProblem } from "../core/dataverse-error.ts";
import type { Deletion, Row } from "../core/rows.ts";
import type { Table } from "../schema/schema.ts";
import type { Options } from "./options.ts";

const UNSUPPORTED = ["$filter", "$orderby", "$expand", "$top"];
/** The organization's `expirechangetrackingindays`. */
const TOKEN_LIFE_MS = 7 * 86_400_000;

export function checkTracking(options: Options): void {
  const refused = UNSUPPORTED.find((name) => options.has(name));
  if (refused === undefined) return;
  throw badQuery(
    `The "${refused}" query parameter isn't supported when Change Tracking is enabled.`,
  );
}

/** `919042!08/22/2017 08:10:44`: the newest version, and the time of the request. */
export function writeToken({ rows, context }: DataverseCall): string {
  const time = new Date(context.clock.now()).toISOString();
  const [year, month, day] = time.slice(0, 10).split("-");
  return `${rows.version()}!${month}/${day}/${year} ${time.slice(11, 19)}`;
}

export function deltaLink(call: DataverseCall, table: Table, options: Options): string {
  const select = options.get("$select");
  const shown = select === undefined ? "" : `$select=${encodeURIComponent(select)}&`;
  const token = encodeURIComponent(writeToken(call));
  return `${apiRoot(call)}/${table.setName}?${shown}$deltatoken=${token}`;
}

export interface Changes {
  readonly changed: readonly Row[];
  readonly deleted: readonly Deletion[];
}

/** New and changed rows by version, then deleted ones. */
export function changesSince(call: DataverseCall, table: Table, token: string): Changes {
  const since = readToken(call, token);
  const changed = call.rows
    .all(table)
    .filter(({ version }) => version > since)
    .sort((one, other) => one.version - other.version);
  return { changed, deleted: call.rows.deletedSince(table, since) };
}

function readToken({ context }: DataverseCall, token: string): number {
  const match = /^(\d+)!(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d:\d\d)$/.exec(token);
  if (match === null) throw badQuery(`The delta token '${token}' is not valid.`);
  const [, version, month, day, year, time] = match;
  const issuedMs = Date.parse(`${year}-${month}-${day}T${time}Z`);
  if (context.clock.now() - issuedMs <= TOKEN_LIFE_MS) return Number(version);
  throw new DataverseProblem(
    400,
    "0x80044352",
    "Version stamp associated with the client has expired. Please perform a full sync.",
  );
}
