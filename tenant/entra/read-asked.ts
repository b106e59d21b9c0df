import type { AppRegistration } from "../context.ts";
import { findClient } from "./client-proof.ts";
import { refuse } from "./entra-error.ts";
import type { Grants } from "./grants.ts";
import { checkOnce } from "./read-form.ts";

/** What a browser asks of Entra on behalf of an application. */
export interface Asked {
  readonly client: AppRegistration;
  readonly redirectUri: string;
  readonly fields: URLSearchParams;
}

/** Checks what must be valid before the browser may be redirected to the application. */
export function readAsked(grants: Grants, fields: URLSearchParams): Asked {
  checkOnce(fields);
  const client = findClient(grants.world, fields.get("client_id"));
  const redirectUri = fields.get("redirect_uri") ?? client.redirectUris[0] ?? "";
  if (!client.redirectUris.includes(redirectUri)) {
    refuse({
      error: "invalid_request",
      number: 50011,
      message: `The redirect URI '${redirectUri}' specified in the request does not match the redirect URIs configured for the application '${client.appId}'.`,
    });
  }
  return { client, redirectUri, fields };
}
