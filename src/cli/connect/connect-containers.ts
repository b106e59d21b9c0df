/**
 * SharePoint Embedded: the container type in this tenant, what the app may do with its containers, and one container
 * with its members. The app may make containers only while this runs; at its end it keeps no more than it needs.
 */
import type { AdminApi } from "./admin-api.ts";
import type { Step } from "./connect-app.ts";

export interface ContainerPlan {
  readonly typeId: string;
  readonly appId: string;
  /** Display name. */
  readonly container: string;
  /** Addresses of people who write in it. */
  readonly members: readonly string[];
  readonly isDryRun: boolean;
}

export interface ConnectedContainer {
  readonly driveId: string | null;
  readonly steps: readonly Step[];
}

interface Grant {
  readonly appId: string;
  readonly delegatedPermissions: readonly string[];
  readonly applicationPermissions: readonly string[];
}
interface Container {
  readonly id: string;
  readonly displayName: string;
}
interface Permission {
  readonly roles: readonly string[];
  readonly grantedToV2?: { readonly user?: { readonly userPrincipalName?: string } };
}
type Permissions = Omit<Grant, "appId">;

const LEAST = ["readContent", "writeContent"];
const KEPT: Permissions = { delegatedPermissions: LEAST, applicationPermissions: LEAST };
const MEANWHILE: Permissions = {
  delegatedPermissions: LEAST,
  applicationPermissions: [...LEAST, "read", "create", "managePermissions"],
};

/** The type that the app owns, made if there is none; with the token of an administrator. */
export async function connectType(
  admin: AdminApi,
  {
    name,
    appId,
    isDryRun,
  }: { readonly name: string; readonly appId: string; readonly isDryRun: boolean },
): Promise<{ typeId: string | null; step: Step }> {
  const step = `container type of ${appId}`;
  const path = "/storage/fileStorage/containerTypes";
  const types = (await admin.list<{ id: string; owningAppId: string }>(path)) ?? [];
  const found = types.find(({ owningAppId }) => owningAppId === appId);
  if (found !== undefined) return { typeId: found.id, step: { step, result: "exists" } };
  if (isDryRun) return { typeId: null, step: { step, result: "would be done" } };
  const { id } = await admin.post<{ id: string }>(path, { name, owningAppId: appId });
  return { typeId: id, step: { step, result: "done" } };
}

/** With the app's own token, because only the owner of a type may register it. */
export async function connectContainers(
  graph: AdminApi,
  plan: ContainerPlan,
): Promise<ConnectedContainer> {
  const registration = `/storage/fileStorage/containerTypeRegistrations/${plan.typeId}`;
  const grants = await graph.list<Grant>(`${registration}/applicationPermissionGrants`);
  const steps: Step[] = [];
  const note = (step: string, isThere: boolean): void => {
    steps.push({ step, result: isThere ? "exists" : plan.isDryRun ? "would be done" : "done" });
  };
  note("registration of the container type", grants !== null);
  if (plan.isDryRun) {
    note(
      `container ${plan.container} with ${plan.members.length} members, if it is missing`,
      false,
    );
    note(`the app keeps ${LEAST.join(" and ")}`, isLeast(grants, plan.appId));
    return { driveId: null, steps };
  }
  const allow = (permissions: Permissions) =>
    graph.put(`${registration}/applicationPermissionGrants/${plan.appId}`, permissions);
  if (grants === null) {
    const ownGrant: Grant = { appId: plan.appId, ...MEANWHILE };
    await graph.put(registration, { applicationPermissionGrants: [ownGrant] });
  } else await allow(MEANWHILE);
  try {
    const driveId = await ensureContainer(graph, plan, note);
    for (const member of plan.members) await ensureMember(graph, driveId, member, note);
    return { driveId, steps };
  } finally {
    await allow(KEPT);
    note(`the app keeps ${LEAST.join(" and ")}`, isLeast(grants, plan.appId));
  }
}

function isLeast(grants: readonly Grant[] | null, appId: string): boolean {
  const ownGrant = grants?.find((grant) => grant.appId === appId);
  const sides = [ownGrant?.delegatedPermissions ?? [], ownGrant?.applicationPermissions ?? []];
  return sides.every((side) => [...side].sort().join() === LEAST.join());
}

type Note = (step: string, isThere: boolean) => void;

async function ensureContainer(
  graph: AdminApi,
  { typeId, container: displayName }: ContainerPlan,
  note: Note,
): Promise<string> {
  const path = "/storage/fileStorage/containers";
  const filter = encodeURIComponent(`containerTypeId eq ${typeId}`);
  const containers = (await graph.list<Container>(`${path}?$filter=${filter}`)) ?? [];
  const found = containers.find((each) => each.displayName === displayName);
  note(`container ${displayName}`, found !== undefined);
  if (found !== undefined) return found.id;
  const { id } = await graph.post<Container>(path, { displayName, containerTypeId: typeId });
  // Graph deletes one that nobody has activated for a day.
  await graph.post(`${path}/${id}/activate`, {});
  return id;
}

async function ensureMember(
  graph: AdminApi,
  driveId: string,
  member: string,
  note: Note,
): Promise<void> {
  const path = `/storage/fileStorage/containers/${driveId}/permissions`;
  const permissions = (await graph.list<Permission>(path)) ?? [];
  const isMember = permissions.some(
    ({ grantedToV2 }) =>
      grantedToV2?.user?.userPrincipalName?.toLowerCase() === member.toLowerCase(),
  );
  note(`member ${member}`, isMember);
  if (isMember) return;
  const grantedToV2 = { user: { userPrincipalName: member } };
  await graph.post(path, { roles: ["writer"], grantedToV2 });
}
