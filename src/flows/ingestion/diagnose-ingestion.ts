/** Ingestion's part of the doctor: the guard, the ids of other programs, changed layouts, and the sandbox. */
import { probeGuard } from "../../ingestion/guard.ts";
import type { IngestionTable } from "../../ingestion/ingestion-table.ts";
import type { CheckOutcome, FurtherCheck } from "../../mailbox/operating/diagnose.ts";
import type { Isolation } from "../../reading/walls.ts";
import type { Queryable } from "../../store/database.ts";
import { describeOvertrust } from "../../trades/drift/find-overtrust.ts";
import {
  describeDrift,
  findSenderDrift,
  findSenderOvertrust,
} from "../../trades/drift/sender-yield.ts";
import type { IdProbe } from "./probe-ids.ts";

export interface IngestionDiagnosisNeeds {
  readonly database: Queryable;
  readonly table: IngestionTable;
  readonly ids: IdProbe;
  readonly isolation: () => Isolation;
}

export const ingestionChecks = (needs: IngestionDiagnosisNeeds): FurtherCheck[] => [
  { name: "guard of the ingestion table", check: () => checkGuard(needs) },
  { name: "message ids of the ingestion table", check: () => checkIds(needs) },
  { name: "layouts of senders", check: () => checkDrift(needs) },
  { name: "sandbox of the PDF reader", check: async () => checkSandbox(needs.isolation()) },
];

/** The guard is needed only if another program writes to the shared table. */
async function checkGuard({ database, table }: IngestionDiagnosisNeeds): Promise<CheckOutcome> {
  const state = await probeGuard(database, table);
  if (state === "installed") return { status: "ok", detail: "installed" };
  return {
    status: "warning",
    detail: `${state}; another program on the table could take a message that we are working on`,
    fix: "postroom ingest guard install",
  };
}

/** A program that stores ids of the other kind would process every message a second time. */
async function checkIds({ ids }: IngestionDiagnosisNeeds): Promise<CheckOutcome> {
  const kind = await ids.look();
  if (kind === "unknown") return { status: "ok", detail: "no other program to compare with" };
  if (kind === "immutable") return { status: "ok", detail: "all programs store immutable ids" };
  return {
    status: "failed",
    detail:
      "another program stores default ids; ingestion waits, because both would process every message",
    fix: 'let it send Prefer: IdType="ImmutableId", or set INGEST_ID_CHECK=false once it is retired',
  };
}

/** Without this check, nobody would notice that the documents of a sender no longer yield trades, or wrong ones. */
async function checkDrift({ database }: IngestionDiagnosisNeeds): Promise<CheckOutcome> {
  const [drifting, overtrusted] = await Promise.all([
    findSenderDrift(database),
    findSenderOvertrust(database),
  ]);
  const alarms = [...drifting.map(describeDrift), ...overtrusted.map(describeOvertrust)];
  if (alarms.length === 0)
    return { status: "ok", detail: "no sender's documents give fewer trades than before" };
  return {
    status: "warning",
    detail: alarms.join("; "),
    fix: "postroom extract --drift, then postroom extract --explain on one of the new documents",
  };
}

const LACKS: Readonly<Record<Exclude<Isolation, "contained">, string>> = {
  "no-network-own-user": "sees every file that all users may read",
  "no-network": "has all rights of Postroom's user except the network",
  "own-user": "reaches the network and sees every file that all users may read",
  "process-only": "has all rights of Postroom's user",
};

/** A file that takes over its reader can do what the system lets a reader do. */
export function checkSandbox(isolation: Isolation): CheckOutcome {
  if (isolation === "contained")
    return { status: "ok", detail: "own user, processes, network and files" };
  return {
    status: "warning",
    detail: `the process that reads untrusted files ${LACKS[isolation]}`,
    fix: "run Postroom on Linux with util-linux where it may create namespaces: as root with CAP_SYS_ADMIN, or as a user with user namespaces",
  };
}
