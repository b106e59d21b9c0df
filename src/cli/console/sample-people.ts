/** The people of the local tenant as whom one click signs in: one of each role, and one without any. */
import type { SampleSignIn } from "../../api/console/console-routes.ts";
import { createHttp } from "../../lib/http.ts";
import { signIn } from "../base/as-person.ts";
import { createTenantSteering } from "./steer-tenant.ts";

export interface SampleTenant {
  readonly entra: string;
  readonly admin: string;
  readonly tenantId: string;
  readonly apps: readonly { readonly appId: string }[];
  readonly users: readonly { readonly id: string; readonly userPrincipalName: string }[];
}

const PEOPLE = [
  { name: "priya.nair", role: "admin" },
  { name: "nina.berg", role: "operator" },
  { name: "omar.haddad", role: "reviewer" },
  { name: "tomas.lindqvist", role: "viewer" },
  { name: "settlements", role: null },
] as const;

/** Gives the sample people their roles in the tenant, and knows how to get tokens for them. */
export async function createSampleSignIn(
  tenant: SampleTenant,
): Promise<Required<SampleSignIn> & { close(): Promise<void> }> {
  const [, api, page] = tenant.apps;
  const http = createHttp({
    allowedOrigins: [tenant.entra, tenant.admin],
    unavailable: "graph.unavailable",
  });
  const people = PEOPLE.flatMap(({ name, role }) => {
    const user = tenant.users.find(({ userPrincipalName }) =>
      userPrincipalName.startsWith(`${name}@`),
    );
    return user === undefined
      ? []
      : [{ id: user.id, name: toName(name), address: user.userPrincipalName, role }];
  });
  for (const { id, role } of people) {
    const roles = role === null ? [] : [`Postroom.${role[0]!.toUpperCase()}${role.slice(1)}`];
    await http({
      method: "PATCH",
      url: `${tenant.admin}/users/${id}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ appRoles: { [api!.appId]: roles } }),
    });
  }
  return {
    people,
    tokenFor: async (personId) => {
      const person = people.find(({ id }) => id === personId)!;
      const apps = { apiAppId: api!.appId, pageAppId: page!.appId };
      return signIn(http, { ...tenant, ...apps }, person.address);
    },
    steering: createTenantSteering(http, tenant.admin),
    close: () => http.close(),
  };
}

const toName = (address: string): string =>
  address
    .split(".")
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join(" ");
