import type { TenantContext } from "../context.ts";
import { refuse } from "./entra-error.ts";

/** Refuses a path whose tenant is neither this one nor a name for all tenants. */
export function checkTenant(context: TenantContext, tenant: string): void {
  const domains = context.users.map((user) => user.userPrincipalName.split("@")[1]);
  if (tenant === context.tenantId || tenant === "common" || tenant === "organizations") return;
  if (domains.includes(tenant)) return;
  refuse({
    error: "invalid_request",
    number: 90002,
    message: `Tenant '${tenant}' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud.`,
  });
}
