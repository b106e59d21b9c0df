/**
 * Secrets in files, as containers, Kubernetes and systemd hand them over: `NAME_FILE` names the file of one, and
 * `POSTROOM_SECRETS` a folder in which each file has the name of a setting.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describeSystemError } from "../lib/describe-system-error.ts";
import { isConnectionSecret } from "./connections.ts";

const OURS = [
  "GRAPH_CLIENT_SECRET",
  "GRAPH_CLIENT_STATE",
  "API_CLIENT_SECRET",
  "DATABASE_URL",
  "Redis__ConnectionString",
  "ServiceBus__ConnectionString",
  "MODEL_API_KEY",
  "ARCHIVE_CONNECTION_STRING",
  "EmailProcessing__WebhookSecret",
  "Rag__ApiKey",
  "Search__ApiKey",
  "POSTROOM_SEAL_KEY",
  "METRICS_KEY",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "APPLICATIONINSIGHTS_CONNECTION_STRING",
  "NOTIFY_TEAMS_URL",
  "NOTIFY_SLACK_URL",
];

/** Settings in which the deployments of the systems that Postroom replaces have references to secrets. */
const THEIRS = [
  ...["Graph__ClientSecret", "Graph__ClientState", "ConnectionStrings__Redis"],
  ...["ConnectionStrings__ServiceBus", "ConnectionStrings__Postgres"],
  ...["ConnectionStrings__Dataverse", "Dataverse__ConnectionString", "Dataverse__ServiceUrl"],
];

/** The settings that may be references, whether or not they have a value. */
export const SECRETS: readonly string[] = [...OURS, ...THEIRS];

export const isSecretSetting = (name: string): boolean =>
  OURS.includes(name) || THEIRS.includes(name) || isConnectionSecret(name);

type Values = Record<string, string | undefined>;

/** Turns both forms into `file:` references, which are read like any other. */
export function withSecretFiles(given: Readonly<Values>): { values: Values; problems: string[] } {
  const values: Values = { ...given };
  const problems: string[] = [];
  for (const [name, path] of Object.entries(given)) {
    const setting = name.replace(/_FILE$/, "");
    if (setting === name || path === undefined || !isSecretSetting(setting)) continue;
    delete values[name];
    if (values[setting] !== undefined) problems.push(`${name}: set either it or ${setting}`);
    else if (path === "") problems.push(`${name}: must not be empty`);
    else values[setting] = `file:${path}`;
  }
  try {
    for (const name of secretsIn(values["POSTROOM_SECRETS"]))
      values[name] ??= `file:${join(values["POSTROOM_SECRETS"]!, name)}`;
  } catch (error) {
    problems.push(`POSTROOM_SECRETS: ${describeSystemError(error as Error)}`);
  }
  return { values, problems };
}

const secretsIn = (folder: string | undefined): string[] =>
  folder === undefined ? [] : readdirSync(folder).filter(isSecretSetting);
