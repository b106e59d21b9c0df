import type { ProcessRole } from "../../app.ts";
import type { Config } from "../../config.ts";

const GRAPH = "GRAPH_TENANT_ID, GRAPH_CLIENT_ID and GRAPH_CLIENT_SECRET";
const DOCUMENTS =
  "Dataverse__ServiceUrl, EmailProcessing__DefaultContainerId, TENANT_ID, API_APP_ID and API_CLIENT_SECRET";

/** Why a process with these roles would have nothing to do; null if it has. */
export function whyIdle(config: Config, roles: readonly ProcessRole[]): string | null {
  const hasWork = Object.keys(config.connections).length > 0 || config.documents !== null;
  const needy = roles.filter((role) => role !== "api");
  if (hasWork || needy.length === 0) return null;
  return `the roles ${needy.join(" and ")} need a tenant: set ${GRAPH} (or Connections__NAME__TenantId, __ClientId and __ClientSecret) for mail, or ${DOCUMENTS} for documents`;
}

/** What these settings leave off, and which settings turn it on; for the first lines of a server. */
export function partsOff(config: Config): string[] {
  const off: string[] = [];
  const say = (part: string, settings: string) => off.push(`${part} is off: set ${settings}`);
  if (Object.keys(config.connections).length === 0) say("watching mailboxes", GRAPH);
  else if (config.webhookUrl === null) say("push", "GRAPH_WEBHOOK_URL");
  if (config.documents === null) say("filing documents", DOCUMENTS);
  if (config.api === null)
    say("signing in to the API and the console", "TENANT_ID, API_APP_ID and API_CLIENT_SECRET");
  return off;
}
