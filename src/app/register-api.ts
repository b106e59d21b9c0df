import type { FastifyInstance } from "fastify";
import { registerAuditRoutes } from "../api/audit-routes.ts";
import type { Authorize } from "../api/auth.ts";
import { registerDoctorRoutes } from "../api/doctor-routes.ts";
import { registerDocumentRoutes } from "../api/document-routes.ts";
import { registerDriftRoutes } from "../api/drift-routes.ts";
import { registerEventRoutes } from "../api/event-routes.ts";
import { registerEvidenceRoutes } from "../api/evidence-routes.ts";
import { registerIngestRoutes } from "../api/ingest-routes.ts";
import { registerJobRoutes } from "../api/jobs-routes.ts";
import { registerMailboxRoutes } from "../api/mailbox-routes.ts";
import { registerNavmapRoutes } from "../api/navmap-routes.ts";
import { registerOrderRoutes } from "../api/orders-routes.ts";
import { registerReviewRoutes } from "../api/review-routes.ts";
import { registerTradeRoutes } from "../api/trades-routes.ts";
import { registerUploadFileRoutes } from "../api/upload-file-routes.ts";
import { registerUploadNotesRoutes } from "../api/upload-notes-routes.ts";
import { registerUploadSessionRoutes } from "../api/upload-session-routes.ts";
import { probeGuard } from "../ingestion/guard.ts";
import type { Jobs } from "../jobs/service/create-jobs.ts";
import { findMailboxes } from "../mailbox/mailbox-table.ts";
import type { Check } from "../mailbox/operating/diagnose.ts";
import { describeDrift, findSenderDrift } from "../trades/drift/sender-yield.ts";
import type { ContractNotes } from "./contract-notes.ts";
import type { Documents } from "./documents.ts";
import type { Foundation } from "./foundation.ts";
import type { Watching } from "./watching.ts";

export interface ApiParts {
  readonly base: Foundation;
  readonly jobs: Jobs;
  readonly watching: Watching;
  readonly notes: ContractNotes;
  /** Null where documents are not set up. */
  readonly documents: Documents | null;
  readonly authorize: Authorize;
}

/** Every route that people and programs use; each knows only what it needs. */
export async function registerApi(server: FastifyInstance, parts: ApiParts): Promise<void> {
  const { base, watching, notes, authorize } = parts;
  const { firmDomains } = base.config;
  const needs = { ...base, authorize, jobs: parts.jobs.queue };
  registerEventRoutes(server, needs);
  registerMailboxRoutes(server, { ...needs, ...watching });
  registerDoctorRoutes(server, {
    authorize,
    diagnosis: {
      ...watching.diagnosis,
      further: [
        () => checkGuard(parts),
        () => checkIds(parts),
        () => checkDrift(parts),
        ...(parts.documents?.checks ?? []),
      ],
    },
  });
  registerAuditRoutes(server, { ...needs, audits: watching.audits });
  registerJobRoutes(server, { jobs: parts.jobs, authorize });
  registerDriftRoutes(server, needs);
  registerTradeRoutes(server, { ...needs, firmDomains });
  registerReviewRoutes(server, needs);
  registerOrderRoutes(server, needs);
  registerEvidenceRoutes(server, { authorize, gather: notes.gatherEvidence });
  registerIngestRoutes(server, { ...needs, table: notes.table });
  await registerUploadNotesRoutes(server, {
    ...needs,
    files: notes.files,
    emailOf: (caller) => emailOf(base, caller.id),
  });
  if (parts.documents !== null) await registerDocuments(server, parts, parts.documents);
}

async function registerDocuments(
  server: FastifyInstance,
  { base, authorize }: ApiParts,
  { settings, actors, uploads, navCache: cache }: Documents,
): Promise<void> {
  const { usesPreviewAction } = settings;
  await registerUploadFileRoutes(server, { authorize, uploads });
  await registerUploadSessionRoutes(server, { authorize, uploads });
  registerDocumentRoutes(server, { ...base, authorize, actors, usesPreviewAction });
  registerNavmapRoutes(server, { ...base, authorize, cache, dataverse: actors.app.dataverse });
}

/** Only a program of somebody else on the shared table needs the guard. */
async function checkGuard({ base, notes }: ApiParts): Promise<Check> {
  const state = await probeGuard(base.database, notes.table);
  const name = "guard of the ingestion table";
  if (state === "installed") return { name, status: "ok", detail: "installed" };
  return {
    name,
    status: "warning",
    detail: `${state}; another program on the table could take a message that we are working on`,
    fix: "postroom ingest guard install",
  };
}

/** Rows of others under ids of another kind never meet ours. */
async function checkIds({ notes }: ApiParts): Promise<Check> {
  const kind = await notes.ids.look();
  const name = "message ids of the ingestion table";
  if (kind === "unknown") return { name, status: "ok", detail: "no other program to compare with" };
  if (kind === "immutable")
    return { name, status: "ok", detail: "all programs store immutable ids" };
  return {
    name,
    status: "failed",
    detail: "another program stores default ids; messages wait, else each would be worked on twice",
    fix: 'let it send Prefer: IdType="ImmutableId", or set INGEST_ID_CHECK=false once it is retired',
  };
}

/** Documents of a sender that stop giving trades: nobody is told by silence. */
async function checkDrift({ base }: ApiParts): Promise<Check> {
  const name = "layouts of senders";
  const alarms = await findSenderDrift(base.database);
  if (alarms.length === 0)
    return { name, status: "ok", detail: "no sender's documents give fewer trades than before" };
  return {
    name,
    status: "warning",
    detail: alarms.map(describeDrift).join("; "),
    fix: "postroom extract --drift, then postroom extract --explain on one of the new documents",
  };
}

/** A signed-in user's address is that of the mailbox that is theirs. */
async function emailOf({ database }: Foundation, callerId: string): Promise<string | null> {
  return (
    (await findMailboxes(database)).find((mailbox) => mailbox.ownerId === callerId)?.address ?? null
  );
}
