/** The admin consent page: an administrator grants an app permissions for everybody. */
import type { AppRegistration, TenantContext } from "../context.ts";
import type { createRouter, TenantRequest, TenantResponse } from "../http.ts";
import { type Grants, readScopes } from "./grants.ts";
import { readAsked } from "./read-asked.ts";
import { findPerson } from "./sessions.ts";
import { consentPage, withErrorPage } from "./sign-in-page.ts";

export function addConsentRoutes(
  router: ReturnType<typeof createRouter>,
  context: TenantContext,
  grants: Grants,
): void {
  const guarded = (answer: (request: TenantRequest) => TenantResponse) =>
    withErrorPage(context, answer);
  for (const path of ["/{tenant}/v2.0/adminconsent", "/{tenant}/adminconsent"]) {
    router.on(
      "GET",
      path,
      guarded((request) => showPage(grants, request.query, null)),
    );
    router.on(
      "POST",
      path,
      guarded((request) => decide(context, grants, request)),
    );
  }
}

function showPage(grants: Grants, fields: URLSearchParams, problem: string | null): TenantResponse {
  const { client } = readAsked(grants, fields);
  return consentPage({ fields, users: grants.users, appName: client.displayName, problem });
}

function decide(context: TenantContext, grants: Grants, request: TenantRequest): TenantResponse {
  const form = new URLSearchParams(request.body.toString("utf8"));
  const { client, redirectUri } = readAsked(grants, form);
  const back = (values: Record<string, string>) => {
    const state = form.get("state");
    const query = new URLSearchParams({ ...values, ...(state === null ? {} : { state }) });
    const mark = redirectUri.includes("?") ? "&" : "?";
    return { status: 302, headers: { location: `${redirectUri}${mark}${query}` } };
  };
  if (form.get("decision") === "decline") {
    return back({
      error: "access_denied",
      error_description: "AADSTS65004: User declined to consent to access the app.",
    });
  }
  const user = findPerson(grants.users, form.get("username") ?? "");
  if (user === null || user.password !== form.get("password")) {
    return showPage(grants, form, "Your account or password is incorrect.");
  }
  const scope = form.get("scope") ?? "https://graph.microsoft.com/.default";
  giveConsent(grants, client, scope);
  context.journal.record("app.consented", { clientId: client.appId, user: user.userPrincipalName });
  return back({ admin_consent: "True", tenant: context.tenantId, scope });
}

/** Grants the permissions named in the scope; `.default` is what the registration already lists. */
function giveConsent(grants: Grants, client: AppRegistration, scope: string): void {
  const { resource, permissions } = readScopes(grants.world, scope);
  for (const name of permissions) {
    const full = resource.id === "graph" ? name : `${resource.id}/${name}`;
    if (name === ".default" || client.delegatedScopes.includes(full)) continue;
    client.delegatedScopes.push(full);
  }
}
