/**
 * The app registration with no more than it needs. Each step looks before it acts, so a run that was interrupted can be
 * repeated, and a dry run takes the same path without acting.
 */
import { readFile, writeFile } from "node:fs/promises";
import { CommandError, EXIT } from "../base/exit.ts";
import { type AdminApi, quoted } from "./admin-api.ts";

const GRAPH_APP_ID = "00000003-0000-0000-c000-000000000000";

export interface AppPlan {
  readonly name: string;
  /** The app that an earlier run made; null if there is none. */
  readonly appId: string | null;
  /** Application permissions of Graph. */
  readonly permissions: readonly string[];
  readonly secretFile: string;
  readonly isDryRun: boolean;
}

export interface Step {
  readonly step: string;
  readonly result: "exists" | "done" | "would be done";
}

export interface ConnectedApp {
  readonly appId: string | null;
  readonly principalId: string | null;
  readonly steps: readonly Step[];
}

interface Application {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly passwordCredentials: readonly object[];
}
interface Principal {
  readonly id: string;
  readonly appRoles: readonly { readonly id: string; readonly value: string }[];
}

export async function connectApp(graph: AdminApi, plan: AppPlan): Promise<ConnectedApp> {
  const steps: Step[] = [];
  /** Null in a dry run, for what does not exist yet. */
  const ensure = async <T>(
    step: string,
    found: T | null,
    make: () => Promise<T>,
  ): Promise<T | null> => {
    const result = found !== null ? "exists" : plan.isDryRun ? "would be done" : "done";
    const value = found ?? (plan.isDryRun ? null : await make());
    steps.push({ step, result });
    return value;
  };
  const app = await ensure(
    `app registration ${plan.appId ?? plan.name}`,
    await findApp(graph, plan),
    () => graph.post("/applications", { displayName: plan.name, signInAudience: "AzureADMyOrg" }),
  );
  const principal = await ensure(
    "service principal",
    app && (await graph.findOne<Principal>("/servicePrincipals", `appId eq ${quoted(app.appId)}`)),
    () => graph.post("/servicePrincipals", { appId: app!.appId }),
  );
  const resource = await graph.findOne<Principal>(
    "/servicePrincipals",
    `appId eq ${quoted(GRAPH_APP_ID)}`,
  );
  const held = principal === null ? [] : await findHeld(graph, principal);
  for (const permission of plan.permissions) {
    const role = resource?.appRoles.find(({ value }) => value === permission);
    if (role === undefined) throw new CommandError(`Graph has no permission ${permission}`);
    await ensure(
      `permission ${permission}, with admin consent`,
      held.includes(role.id) ? role : null,
      async () => {
        const path = `/servicePrincipals/${principal!.id}/appRoleAssignments`;
        const ids = { principalId: principal!.id, resourceId: resource!.id };
        await graph.post(path, { ...ids, appRoleId: role.id });
        return role;
      },
    );
  }
  const isInterrupted = await hasSecretIn(plan.secretFile).then((has) => has === false);
  await ensure(
    `client secret in ${plan.secretFile}`,
    (app?.passwordCredentials.length ?? 0) > 0 && !isInterrupted ? app : null,
    async () => {
      await addSecret(graph, app!, plan.secretFile);
      return app!;
    },
  );
  return { appId: app?.appId ?? null, principalId: principal?.id ?? null, steps };
}

/** Anybody in a tenant may register an app, so one that merely has the name is not given any rights. */
async function findApp(graph: AdminApi, { name, appId }: AppPlan): Promise<Application | null> {
  if (appId !== null) {
    const app = await graph.findOne<Application>("/applications", `appId eq ${quoted(appId)}`);
    if (app === null) throw new CommandError(`there is no app registration ${appId}`, EXIT.usage);
    return app;
  }
  const other = await graph.findOne<Application>("/applications", `displayName eq ${quoted(name)}`);
  if (other === null) return null;
  throw new CommandError(
    `there is an app registration ${name} already; if you made it, repeat with --app-id ${other.appId}, otherwise choose another --name`,
  );
}

async function findHeld(graph: AdminApi, { id }: Principal): Promise<string[]> {
  const path = `/servicePrincipals/${id}/appRoleAssignments`;
  const { value } = await graph.get<{ value: { appRoleId: string }[] }>(path);
  return value.map(({ appRoleId }) => appRoleId);
}

/** Null if there is no such file; false if it is empty, which is what an interrupted run leaves behind. */
async function hasSecretIn(file: string): Promise<boolean | null> {
  try {
    return (await readFile(file, "utf8")).trim() !== "";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Graph shows a secret once, so the file is made before it is asked for. */
async function addSecret(graph: AdminApi, app: Application, file: string): Promise<void> {
  if (await hasSecretIn(file)) throw new CommandError(`${file} already exists and was not changed`);
  await writeFile(file, "", { mode: 0o600 });
  const { secretText } = await graph.post<{ secretText: string }>(
    `/applications/${app.id}/addPassword`,
    { passwordCredential: { displayName: "postroom connect" } },
  );
  await writeFile(file, secretText);
}
