/** A server with documents set up on its own tenant, and people who use it. */
import type { AppOptions } from "../../src/app.ts";
import { bytesOf } from "../../tenant/drives/store/content.ts";
import type { Tenant, TenantOptions, User } from "../../tenant/index.ts";
import { anApp, aTenant, type TestApp } from "../helpers/app.ts";

export const WEBHOOK_SECRET = "a-secret-of-the-dataverse-webhook";

/** The settings that a server needs for documents, with this tenant instead of Microsoft's. */
export function documentSettings(tenant: Tenant): Record<string, string> {
  const api = tenant.apps[1]!;
  return {
    TENANT_ID: tenant.tenantId,
    API_APP_ID: api.appId,
    API_CLIENT_SECRET: api.secrets[0]!,
    Dataverse__ServiceUrl: tenant.addresses.dataverse,
    EmailProcessing__DefaultContainerId: tenant.drives.admin.defaultContainerId,
    EmailProcessing__WebhookSecret: WEBHOOK_SECRET,
    EmailProcessing__DefaultAction: "AutoSave",
  };
}

export interface Person {
  readonly user: User;
  readonly token: string;
  readonly headers: { authorization: string };
}

export function aPerson(tenant: Tenant, index: number): Person {
  const user = tenant.users[index]!;
  const token = tenant.tokenFor({
    user: user.id,
    app: tenant.apps[2]!.appId,
    scope: `api://${tenant.apps[1]!.appId}/user_impersonation`,
  });
  return { user, token, headers: { authorization: `Bearer ${token}` } };
}

export interface DocumentScene {
  readonly tenant: Tenant;
  readonly app: TestApp;
  readonly nina: Person;
  readonly omar: Person;
  readonly containerId: string;
  aMatter(values?: object): Promise<string>;
  /** The rows of documents, as the environment holds them. */
  records(): readonly { id: string; values: Record<string, unknown> }[];
  /** Paths of all files of the default container. */
  files(): string[];
  bytesAt(path: string): Buffer | null;
  /** Files with `PUT`, the way a form does. */
  put(
    path: string,
    body: Buffer | string,
    options?: { person?: Person; query?: string; container?: string },
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  ): Promise<{ status: number; json: Record<string, any>; headers: Record<string, unknown> }>;
}

export async function aDocumentScene(
  options: { tenant?: TenantOptions; settings?: Record<string, string>; app?: AppOptions } = {},
): Promise<DocumentScene> {
  const tenant = await aTenant(options.tenant);
  const app = await anApp(
    tenant,
    { ...documentSettings(tenant), ...options.settings },
    { roles: ["api"], ...options.app },
  );
  const nina = aPerson(tenant, 1);
  const containerId = tenant.drives.admin.defaultContainerId;
  const container = () => tenant.drives.admin.containers().find((each) => each.id === containerId)!;
  const pathOf = (id: string): string => {
    const item = container().drive.items.get(id)!;
    if (item.parentId === null) return "";
    const above = pathOf(item.parentId);
    return above === "" ? item.name : `${above}/${item.name}`;
  };
  const found = () =>
    [...container().drive.items.values()].filter((item) => !item.isFolder && !item.isDeleted);
  return {
    tenant,
    app,
    nina,
    omar: aPerson(tenant, 2),
    containerId,
    aMatter: async (values = {}) =>
      (await tenant.dataverse.admin.create("sprk_matter", { sprk_name: "A matter", ...values })).id,
    records: () => tenant.dataverse.admin.rows("sprk_document"),
    files: () =>
      found()
        .map((item) => pathOf(item.id))
        .sort(),
    bytesAt(path) {
      const file = found().find((item) => pathOf(item.id) === path);
      const content = file?.versions.at(-1)?.content;
      return content === undefined ? null : bytesOf(content);
    },
    async put(path, body, { person = nina, query = "", container: other } = {}) {
      const answer = await app.server.inject({
        method: "PUT",
        url: `/api/containers/${other ?? containerId}/files/${path}${query}`,
        headers: { ...person.headers, "content-type": "application/octet-stream" },
        payload: body,
      });
      return { status: answer.statusCode, json: answer.json(), headers: answer.headers };
    },
  };
}
