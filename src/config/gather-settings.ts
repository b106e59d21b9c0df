/**
 * Where settings come from: the environment, then `.env`, then the settings file. The names of the systems that
 * Postroom replaces are accepted beside ours, and so is their settings file, `appsettings.json`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeSystemError } from "../lib/describe-system-error.ts";
import { withSecretFiles } from "./secret-files.ts";

export type RawSettings = Record<string, string | undefined>;

interface Gathered {
  readonly values: RawSettings;
  readonly problems: readonly string[];
}

/** Their names for settings of ours. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  Graph__TenantId: "GRAPH_TENANT_ID",
  Graph__ClientId: "GRAPH_CLIENT_ID",
  Graph__ClientSecret: "GRAPH_CLIENT_SECRET",
  Graph__BaseUrl: "GRAPH_BASE_URL",
  Graph__Authority: "GRAPH_AUTHORITY",
  Graph__WebhookUrl: "GRAPH_WEBHOOK_URL",
  Graph__ClientState: "GRAPH_CLIENT_STATE",
  ConnectionStrings__Redis: "Redis__ConnectionString",
  ConnectionStrings__ServiceBus: "ServiceBus__ConnectionString",
  ConnectionStrings__Postgres: "DATABASE_URL",
};

/** Both hold `AuthType=ClientSecret;Url=…;ClientId=…;ClientSecret=…`. */
const DATAVERSE_STRINGS = ["ConnectionStrings__Dataverse", "Dataverse__ConnectionString"];

/** Adds what the file of `POSTROOM_CONFIG` says about settings that the environment does not have. */
export function withSettingsFile(
  environment: Readonly<RawSettings>,
  isSetting: (name: string) => boolean,
): Gathered {
  const path = environment["POSTROOM_CONFIG"];
  const gather = (values: RawSettings): Gathered => {
    const filed = withSecretFiles(values);
    const checked = withoutTokens(filed.values, isSetting);
    return { values: checked.values, problems: [...filed.problems, ...checked.problems] };
  };
  if (path === undefined) return gather({ ...environment });
  try {
    const read: unknown = JSON.parse(withoutComments(readFileSync(path, "utf8")));
    return gather({ ...flatten(read), ...environment });
  } catch (error) {
    const why = `POSTROOM_CONFIG: ${path} cannot be read: ${describeSystemError(error as Error)}`;
    return { values: { ...environment }, problems: [why] };
  }
}

/** The published `appsettings.json` has this instead of a value that the environment must give. */
const ELSEWHERE = "from-environment";

/** A deployment replaces `#{NAME}#`; one that is left would be sent to Microsoft as if it were the value. */
function withoutTokens(values: RawSettings, isSetting: (name: string) => boolean): Gathered {
  const problems: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const [token] = value === ELSEWHERE ? [value] : (/#\{\w+\}#/.exec(value ?? "") ?? []);
    // The environment also holds variables of other programs.
    if (token === undefined || !(isSetting(name) || name.includes("__"))) continue;
    problems.push(`${name}: contains ${token}, which the deployment has not replaced`);
    delete values[name];
  }
  return { values, problems };
}

/** `{"Redis": {"ConnectionString": "x"}}` is `Redis__ConnectionString=x`. */
function flatten(value: unknown, name = ""): RawSettings {
  if (value === null || value === undefined) return {};
  if (typeof value !== "object") return { [name]: String(value) };
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      Object.entries(flatten(inner, name === "" ? key : `${name}__${key}`)),
    ),
  );
}

/** Settings files of .NET may have lines that begin with `//`. */
const withoutComments = (text: string): string => text.replace(/^\s*\/\/.*$/gm, "");

/** Translates their names into ours. Two different values for one setting are refused. */
export function underOurNames(given: Readonly<RawSettings>): Gathered {
  const values: RawSettings = { ...given };
  const problems: string[] = [];
  const set = (ours: string, value: string, theirs: string): void => {
    if (values[ours] !== undefined && values[ours] !== value)
      problems.push(`${theirs}: differs from ${ours}; set only one of them`);
    values[ours] ??= value;
  };
  for (const [theirs, ours] of Object.entries(OTHER_NAMES)) {
    const value = values[theirs];
    delete values[theirs];
    if (value !== undefined) set(ours, value, theirs);
  }
  for (const theirs of DATAVERSE_STRINGS) {
    const text = values[theirs];
    delete values[theirs];
    if (text === undefined) continue;
    const parts = readConnectionString(text);
    if (parts === null)
      problems.push(`${theirs}: must be AuthType=ClientSecret;Url=…;ClientId=…;ClientSecret=…`);
    for (const [ours, value] of Object.entries(parts ?? {})) set(ours, value, theirs);
  }
  return { values, problems };
}

const PARTS: Readonly<Record<string, string>> = {
  url: "Dataverse__ServiceUrl",
  serviceuri: "Dataverse__ServiceUrl",
  clientid: "API_APP_ID",
  clientsecret: "API_CLIENT_SECRET",
  tenantid: "TENANT_ID",
};

/** Null if it is not the form that an app with a secret uses. */
function readConnectionString(text: string): Record<string, string> | null {
  const parts = new Map(
    text.split(";").flatMap((part) => {
      const at = part.indexOf("=");
      const name = part.slice(0, at).trim().toLowerCase();
      return at < 1 ? [] : [[name, part.slice(at + 1).trim()] as const];
    }),
  );
  if (parts.get("authtype")?.toLowerCase() !== "clientsecret") return null;
  const found: Record<string, string> = {};
  for (const [part, ours] of Object.entries(PARTS)) {
    const value = parts.get(part);
    if (value) found[ours] = value;
  }
  const needed = ["Dataverse__ServiceUrl", "API_APP_ID", "API_CLIENT_SECRET"];
  return needed.every((name) => found[name] !== undefined) ? found : null;
}

/** The lines of `.env` in this folder that the environment does not override; empty if there is no such file. */
export function readDotEnv(folder: string): RawSettings {
  let text: string;
  try {
    text = readFileSync(join(folder, ".env"), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
  return Object.fromEntries(
    [...text.matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/gm)].map((match) => [
      match[1]!,
      unquote(match[2]!),
    ]),
  );
}

/** A value in quotes is taken as it is; otherwise a comment may follow after a space. */
function unquote(text: string): string {
  const [, , quoted] = /^(["'])(.*)\1$/.exec(text) ?? [];
  return quoted ?? text.replace(/\s+#.*$/, "");
}
