/** Checks what the first file needs: permissions, the container, Dataverse and its columns. */
import { Fault } from "../lib/fault.ts";
import type { Random } from "../lib/random.ts";
import type { CheckOutcome, FurtherCheck } from "../mailbox/operating/diagnose.ts";
import type { Queryable } from "../store/database.ts";
import type { Actors } from "./actors.ts";
import { countFilings } from "./filing-table.ts";

export interface FilingDiagnosisNeeds {
  readonly actors: Actors;
  readonly database: Queryable;
  readonly random: Random;
  readonly containerId: string;
  readonly clientId: string;
  readonly hasWebhookSecret: boolean;
}

const PERMISSION = "FileStorageContainer.Selected";
/** Graph's id of that application permission. */
const PERMISSION_ID = "40dc41bc-0f7e-42ff-89bd-d9516947e474";
const GRAPH_API = "00000003-0000-0000-c000-000000000000";

/** Columns that we write. If one is renamed, Dataverse refuses every record. */
const COLUMNS = [
  ...["sprk_documentname", "sprk_filename", "sprk_filesize", "sprk_mimetype", "sprk_hasfile"],
  ...["sprk_graphitemid", "sprk_graphdriveid", "sprk_filepath", "sprk_documenttype"],
  ...["sprk_sourcetype", "sprk_relationshiptype", "sprk_isemailarchive", "sprk_emailsubject"],
  ...["sprk_emailfrom", "sprk_emailto", "sprk_emailcc", "sprk_emaildate", "sprk_emailbody"],
  ...["sprk_emailmessageid", "sprk_emaildirection", "sprk_emailtrackingtoken"],
  ...["sprk_emailconversationindex", "sprk_parentfilename", "sprk_parentgraphitemid"],
  ...["sprk_matter", "sprk_project", "sprk_event", "sprk_parentdocument", "sprk_email"],
];

export const filingChecks = (needs: FilingDiagnosisNeeds): FurtherCheck[] => [
  { name: "documents: container", check: () => checkContainer(needs) },
  { name: "documents: Dataverse", check: () => checkDataverse(needs) },
  { name: "documents: columns", check: () => checkColumns(needs) },
  { name: "documents: filings", check: () => checkFilings(needs) },
  { name: "documents: webhook", check: async () => checkWebhook(needs) },
];

/** Three layers protect a container and all answer 403; this finds out which one. */
async function checkContainer(needs: FilingDiagnosisNeeds): Promise<CheckOutcome> {
  const { actors, containerId, clientId } = needs;
  if (!(await actors.appRoles()).includes(PERMISSION))
    return {
      status: "failed",
      detail: `the app lacks ${PERMISSION} at Graph`,
      fix: `az ad app permission add --id ${clientId} --api ${GRAPH_API} --api-permissions ${PERMISSION_ID}=Role && az ad app permission admin-consent --id ${clientId}`,
    };
  try {
    await actors.app.drives.probe(containerId);
    await tryWriting(needs);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.code === "graph.denied")
      return {
        status: "failed",
        detail: "the container type does not let this app read and write its containers",
        fix: `register app ${clientId} for the container type with readContent and writeContent, app-only and delegated (PUT …/_api/v2.1/storageContainerTypes/{type}/applicationPermissions)`,
      };
    if (error.code === "graph.not-found")
      return {
        status: "failed",
        detail: "there is no such container, or it was never activated and has been removed",
        fix: "set EmailProcessing__DefaultContainerId to the drive id of an active container",
      };
    throw error;
  }
  return { status: "ok", detail: "the app reads and writes the default container" };
}

/** An upload session needs the same permission as a file, and leaves nothing behind if it is not used. */
async function tryWriting({ actors, containerId, random }: FilingDiagnosisNeeds): Promise<void> {
  const path = `documents/doctor-${random.uuid()}.tmp`;
  const { uploadUrl } = await actors.app.drives.createUploadSession(containerId, path, "fail");
  await actors.sessions.cancel(uploadUrl);
}

async function checkDataverse({ actors, clientId }: FilingDiagnosisNeeds): Promise<CheckOutcome> {
  try {
    await actors.app.dataverse.call({ path: "WhoAmI" });
    return { status: "ok", detail: "the app is a user of the environment" };
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "dataverse.denied") throw error;
    return {
      status: "failed",
      detail: "the app is not a user of the Dataverse environment",
      fix: `add an application user for ${clientId} with a security role (Power Platform admin center, Settings, Application users)`,
    };
  }
}

async function checkColumns({ actors }: FilingDiagnosisNeeds): Promise<CheckOutcome> {
  const rows = await actors.app.dataverse.list<{ LogicalName: string }>(
    "EntityDefinitions(LogicalName='sprk_document')/Attributes?$select=LogicalName",
  );
  const there = new Set(rows.map(({ LogicalName }) => LogicalName));
  const missing = COLUMNS.filter((column) => !there.has(column));
  if (missing.length === 0)
    return { status: "ok", detail: "sprk_document has every column that is written" };
  return {
    status: "failed",
    detail: `sprk_document lacks ${missing.join(", ")}; records would be refused`,
    fix: "import the solution again, or restore the names of the columns",
  };
}

async function checkFilings({ database }: FilingDiagnosisNeeds): Promise<CheckOutcome> {
  const counts = await countFilings(database);
  const of = (state: string) =>
    counts.filter((row) => row.state === state).reduce((sum, row) => sum + row.count, 0);
  const [refused, missing] = [of("refused"), of("missing")];
  if (refused + missing === 0)
    return { status: "ok", detail: "every file has its record and every record its file" };
  return {
    status: "warning",
    detail: `${refused} files without a record, ${missing} records without a file`,
    fix: "postroom documents list --state refused, and --state missing",
  };
}

function checkWebhook({ hasWebhookSecret }: FilingDiagnosisNeeds): CheckOutcome {
  if (hasWebhookSecret) return { status: "ok", detail: "Dataverse can announce mail with the key" };
  return {
    status: "warning",
    detail: "no secret is set, so calls from Dataverse are refused",
    fix: "set EmailProcessing__WebhookSecret to the key of the registered webhook",
  };
}
