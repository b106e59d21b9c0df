/**
 * Who may read which document. Dataverse decides, as the caller, at the time of the request: nothing is cached, and
 * whatever is not a clear yes is a no.
 */
import type { Log } from "../lib/log.ts";
import type { DataverseClient } from "../microsoft/dataverse/dataverse-client.ts";

/** The caller, with a client that acts as the caller; null without a token. */
export interface Reader {
  /** Object id. */
  readonly id: string;
  readonly dataverse: DataverseClient | null;
}

export interface Authorization {
  readonly success: boolean;
  readonly reason?: string;
  /** What a handler may work with. Empty unless every document is allowed. */
  readonly authorizedDocumentIds: readonly string[];
}

export interface RequestContext {
  readonly correlationId: string;
  readonly log: Log;
}

export const NO_TOKEN = "Missing or invalid authorization token";
export const DENIED = "Access denied to one or more documents";

/** A right that takes longer to check is not given. */
const CHECK_MS_MAX = 20_000;
/** Dataverse serves 52 requests of a person at once. */
const AT_ONCE = 8;

export async function authorizeDocuments(
  reader: Reader,
  documentIds: readonly string[],
  { correlationId, log }: RequestContext,
  signal?: AbortSignal,
): Promise<Authorization> {
  const deny = (reason: string): Authorization => {
    log.warn({ userId: reader.id, correlationId }, `[AI-AUTH] denied: ${reason}`);
    return { success: false, reason, authorizedDocumentIds: [] };
  };
  const { dataverse } = reader;
  if (dataverse === null) return deny(NO_TOKEN);
  const within = limited(signal);
  const ids = [...new Set(documentIds.map((id) => id.toLowerCase()))];
  if (ids.length === 0 || !(await isKnownUser(dataverse, reader.id, log, within)))
    return deny(DENIED);
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const batch = ids.slice(from, from + AT_ONCE);
    const allowed = await Promise.all(batch.map((id) => mayRead(dataverse, id, log, within)));
    if (allowed.includes(false)) return deny(DENIED);
  }
  log.info({ userId: reader.id, correlationId }, `[AI-AUTH] granted: ${ids.length} documents`);
  return { success: true, authorizedDocumentIds: ids };
}

function limited(signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(CHECK_MS_MAX);
  return signal === undefined ? limit : AbortSignal.any([signal, limit]);
}

/** Whether the person is an enabled user of the environment. */
async function isKnownUser(
  dataverse: DataverseClient,
  userId: string,
  log: Log,
  signal: AbortSignal,
): Promise<boolean> {
  const filter = encodeURIComponent(`azureactivedirectoryobjectid eq '${quoted(userId)}'`);
  const path = `systemusers?$select=systemuserid,isdisabled&$filter=${filter}`;
  try {
    const found = await dataverse.call<{ value?: { isdisabled?: boolean }[] }>({ path, signal });
    const [user] = found?.value ?? [];
    log.debug({ userId }, `[UAC-DIAG] system user ${user === undefined ? "not " : ""}found`);
    return user !== undefined && user.isdisabled !== true;
  } catch (error) {
    log.warn({ userId, err: error }, "[UAC-DIAG] the system user cannot be looked up");
    return false;
  }
}

const quoted = (text: string): string => text.replaceAll("'", "''");

async function mayRead(
  dataverse: DataverseClient,
  id: string,
  log: Log,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const path = `sprk_documents(${id})?$select=sprk_documentid`;
    const row = await dataverse.call<{ sprk_documentid?: string }>({ path, signal });
    return row?.sprk_documentid?.toLowerCase() === id;
  } catch (error) {
    log.debug({ documentId: id, err: error }, "[UAC-DIAG] no read access");
    return false; // refused, missing or not answered: all of them mean no
  }
}
