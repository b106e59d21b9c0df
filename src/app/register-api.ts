import { registerAnalysisRoutes } from "../api/answers/analysis-routes.ts";
import { registerRagRoutes } from "../api/answers/rag-routes.ts";
import { registerSearchRoutes } from "../api/answers/search-routes.ts";
import { registerAuditRoutes } from "../api/audit-routes.ts";
import { registerConsoleRoutes, type SampleSignIn } from "../api/console/console-routes.ts";
import { registerTenantRoutes } from "../api/console/tenant-routes.ts";
import { registerDeadLetterRoutes } from "../api/dead-letter-routes.ts";
import { registerDoctorRoutes } from "../api/doctor-routes.ts";
import { registerDetailRoutes } from "../api/documents/detail-routes.ts";
import { registerDocumentRoutes } from "../api/documents/document-routes.ts";
import { registerEmailRoutes } from "../api/documents/email-routes.ts";
import { registerFilingRuleRoutes } from "../api/documents/filing-rule-routes.ts";
import { registerNavmapRoutes } from "../api/documents/navmap-routes.ts";
import { registerUploadFileRoutes } from "../api/documents/upload-file-routes.ts";
import { registerUploadSessionRoutes } from "../api/documents/upload-session-routes.ts";
import { registerEventRoutes } from "../api/event-routes.ts";
import { registerJobRoutes } from "../api/jobs-routes.ts";
import { registerKeepRoutes } from "../api/keep/keep-routes.ts";
import { registerMailboxRoutes } from "../api/mailbox-routes.ts";
import { registerConsentRoutes } from "../api/mailboxes/consent-routes.ts";
import { registerManifestRoutes } from "../api/office/manifest-routes.ts";
import { registerOfficeRoutes } from "../api/office/office-routes.ts";
import type { ApiScope } from "../api/openapi.ts";
import { registerOverviewRoutes } from "../api/overview-routes.ts";
import { registerSinkRoutes } from "../api/sinks/sink-routes.ts";
import { registerBackfillRoutes } from "../api/trades/backfill-routes.ts";
import { registerDriftRoutes } from "../api/trades/drift-routes.ts";
import { registerEvidenceRoutes } from "../api/trades/evidence-routes.ts";
import { registerGiveRoutes } from "../api/trades/give-routes.ts";
import { registerIngestRoutes } from "../api/trades/ingest-routes.ts";
import { registerNoteContentRoutes } from "../api/trades/note-content-routes.ts";
import { registerOrderRoutes } from "../api/trades/orders-routes.ts";
import { registerReviewRoutes } from "../api/trades/review-routes.ts";
import { registerSenderRoutes } from "../api/trades/senders-routes.ts";
import { registerTradeRoutes } from "../api/trades/trades-routes.ts";
import { registerUploadNotesRoutes } from "../api/trades/upload-notes-routes.ts";
import { rehearseReview } from "../flows/ingestion/apply-review.ts";
import { ingestionChecks } from "../flows/ingestion/diagnose-ingestion.ts";
import { gatherTrace } from "../flows/ingestion/gather-trace.ts";
import type { Jobs } from "../jobs/service/create-jobs.ts";
import { isUuid } from "../lib/hash.ts";
import { findMailboxes } from "../mailbox/mailbox-table.ts";
import { beyondTenant } from "../store/reach.ts";
import { alertChecks } from "./alerts.ts";
import type { Answers } from "./answers.ts";
import { toConnectNeeds } from "./consents.ts";
import type { ContractNotes } from "./contract-notes.ts";
import type { Documents } from "./documents.ts";
import type { Foundation } from "./foundation.ts";
import type { Keep } from "./keep.ts";
import type { Office } from "./office.ts";
import { parkedCheck } from "./parked-check.ts";
import { redisChecks } from "./redis-check.ts";
import type { Sinks } from "./sinks.ts";
import type { Watching } from "./watching.ts";

export interface ApiParts {
  readonly base: Foundation;
  readonly jobs: Jobs;
  readonly watching: Watching;
  readonly notes: ContractNotes;
  /** Null if documents are not set up. */
  readonly documents: Documents | null;
  readonly answers: Answers | null;
  readonly office: Office | null;
  readonly sinks: Sinks;
  readonly keep: Keep;
  /** Only with the local tenant. */
  readonly sample: SampleSignIn | null;
}

/** Registers every route of the API; each gets only what it needs. */
export async function registerApi(server: ApiScope, parts: ApiParts): Promise<void> {
  const { base, watching, notes } = parts;
  const { firmDomains, masksMail } = base.config;
  const needs = { ...base, jobs: parts.jobs.queue, masksMail };
  registerConsoleRoutes(server, { identity: toConsoleIdentity(base), sample: parts.sample });
  if (parts.sample?.steering) registerTenantRoutes(server, parts.sample.steering);
  registerOverviewRoutes(server, needs);
  registerEventRoutes(server, needs);
  registerMailboxRoutes(server, { ...needs, ...watching });
  registerConsentRoutes(server, toConnectNeeds(base, watching));
  registerDoctorRoutes(server, {
    diagnosis: {
      ...watching.diagnosis,
      further: [
        ...redisChecks(base),
        ...alertChecks(base.config, base.database),
        parkedCheck(base.database),
        ...ingestionChecks({ ...base, ...notes }),
        ...(parts.documents?.checks ?? []),
      ],
    },
  });
  registerAuditRoutes(server, {
    ...needs,
    audits: watching.audits,
    trace: (id, viewer) => gatherTrace(base.database, id, viewer),
  });
  registerJobRoutes(server, { jobs: parts.jobs });
  registerDeadLetterRoutes(server, { jobs: parts.jobs });
  registerDriftRoutes(server, needs);
  registerTradeRoutes(server, { ...needs, firmDomains });
  registerNoteContentRoutes(server, { ...base, files: notes.files, blobs: notes.blobs });
  registerReviewRoutes(server, {
    ...needs,
    firmDomains,
    // The question is the caller's own; its answer is judged with the orders of the installation.
    rehearse: (id, decided) =>
      beyondTenant(() => rehearseReview({ ...base, firmDomains }, id, decided)),
  });
  await registerGiveRoutes(server, notes);
  registerSinkRoutes(server, parts.sinks.needs);
  registerKeepRoutes(server, { ...base, erase: parts.keep.erase });
  registerOrderRoutes(server, needs);
  registerSenderRoutes(server, needs);
  registerEvidenceRoutes(server, { ...needs, gather: notes.gatherEvidence });
  registerIngestRoutes(server, { ...needs, table: notes.table });
  registerBackfillRoutes(server, { ...needs, backfills: notes.backfills });
  registerFilingRuleRoutes(server, { ...base, documents: toFilingPlace(parts.documents) });
  await registerUploadNotesRoutes(server, {
    ...needs,
    files: notes.files,
    emailOf: (caller) => emailOf(base, caller.id),
  });
  if (parts.documents !== null) await registerDocuments(server, parts, parts.documents);
  if (parts.documents !== null && parts.office !== null) {
    const { actors } = parts.documents;
    await registerOfficeRoutes(server, { ...base, ...parts.office, actors });
    const { webhookUrl } = base.config;
    const publicOrigin = webhookUrl === null ? null : new URL(webhookUrl).origin;
    registerManifestRoutes(server, { identity: toConsoleIdentity(base), publicOrigin });
  }
  if (parts.answers !== null) {
    registerSearchRoutes(server, { ...base, ...parts.answers, masksMail });
    registerAnalysisRoutes(server, { ...base, ...parts.answers });
    registerRagRoutes(server, { ...base, ...parts.answers });
  }
}

async function registerDocuments(
  server: ApiScope,
  { base, jobs }: ApiParts,
  { settings, actors, uploads, navCache: cache, rules, batches }: Documents,
): Promise<void> {
  registerEmailRoutes(server, { ...base, jobs: jobs.queue, rules, batches });
  const { usesPreviewAction } = settings;
  await registerUploadFileRoutes(server, { uploads });
  await registerUploadSessionRoutes(server, { uploads });
  registerDocumentRoutes(server, { ...base, actors, usesPreviewAction });
  registerDetailRoutes(server, { ...base, actors });
  registerNavmapRoutes(server, { ...base, cache, dataverse: actors.app.dataverse });
}

function toFilingPlace(documents: Documents | null) {
  if (documents === null) return null;
  const { defaultContainerId } = documents.settings;
  return { app: documents.actors.app, defaultContainerId };
}

/** The page signs in as its own registration, or as the API's where there is only one. */
function toConsoleIdentity({ config }: Foundation) {
  const { api, authorityOrigin, consoleAppId } = config;
  if (api === null) return null;
  const { tenantId, appId: apiAppId } = api;
  return { authorityOrigin, tenantId, apiAppId, clientId: consoleAppId ?? apiAppId };
}

/**
 * A signed-in user's address is that of their own mailbox, or the one that the directory has under their object id.
 * The names in a token are not asked: a guest's home organisation chooses them.
 */
async function emailOf(
  { database, connections, log }: Foundation,
  callerId: string,
): Promise<string | null> {
  const ownMailbox = (await findMailboxes(database)).find(
    (mailbox) => mailbox.ownerId === callerId,
  );
  if (ownMailbox !== undefined || !isUuid(callerId)) return ownMailbox?.address ?? null;
  for (const name of connections.names) {
    try {
      const user = await connections
        .graph(name)
        .call<DirectoryUser>({ path: `/users/${callerId}?$select=mail,userType` });
      if (user.mail && user.userType !== "Guest") return user.mail.toLowerCase();
    } catch (error) {
      log.info({ err: error, connection: name }, "the directory does not say who uploads");
    }
  }
  return null;
}

interface DirectoryUser {
  readonly mail?: string | null;
  readonly userType?: string | null;
}
