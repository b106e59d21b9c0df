/** The device code flow: a command line shows a code, a person enters it in a browser. */
import type { TenantContext } from "../context.ts";
import type { createRouter, TenantRequest, TenantResponse } from "../http.ts";
import { findClient, missingParameter, proveClient } from "./client-proof.ts";
import { EntraRefusal, entraErrorBody, entraErrorResponse, refuse } from "./entra-error.ts";
import { type Grants, grantScopes, readScopes } from "./grants.ts";
import { readForm } from "./read-form.ts";
import { findPerson } from "./sessions.ts";
import { confirmPage, messagePage } from "./sign-in-page.ts";
import { checkTenant } from "./tenant-name.ts";
import { answerWithUserTokens } from "./user-tokens.ts";

const LIFETIME_SECONDS = 900;
const INTERVAL_SECONDS = 5;
const LETTERS = "BCDFGHJKLMNPQRSTVWXYZ23456789";

export function addDeviceRoutes(
  router: ReturnType<typeof createRouter>,
  context: TenantContext,
  grants: Grants,
): void {
  router.on("POST", "/{tenant}/oauth2/v2.0/devicecode", (request) => {
    try {
      checkTenant(context, request.params["tenant"]!);
      return { status: 200, body: startDevice(context, grants, request) };
    } catch (error) {
      if (!(error instanceof EntraRefusal)) throw error;
      const traceId = grants.world.random.uuid();
      const body = entraErrorBody(context, traceId, request, error.problem);
      return entraErrorResponse(body, error.problem);
    }
  });
  router.on("GET", "/{tenant}/oauth2/deviceauth", (request) =>
    confirmPage({ users: grants.users, code: request.query.get("otc") ?? "", problem: null }),
  );
  router.on("POST", "/{tenant}/oauth2/deviceauth", (request) => confirm(grants, request));
}

function startDevice(context: TenantContext, grants: Grants, request: TenantRequest): object {
  const form = readForm(request);
  const client = findClient(grants.world, form.get("client_id"));
  const scope = form.get("scope") ?? missingParameter("scope");
  grantScopes(client, readScopes(grants.world, scope));
  const { random } = grants.world;
  const userCode = [...random.bytes(9)].map((byte) => LETTERS[byte % LETTERS.length]).join("");
  const deviceCode = `${random.bytes(48).toString("base64url")}`;
  grants.memory.devices.set(deviceCode, {
    userCode,
    clientId: client.appId,
    scope,
    expiresAtMs: context.clock.now() + LIFETIME_SECONDS * 1000,
    userId: null,
    isDeclined: false,
  });
  const address = `${context.origin()}/common/oauth2/deviceauth`;
  return {
    user_code: userCode,
    device_code: deviceCode,
    verification_uri: address,
    expires_in: LIFETIME_SECONDS,
    interval: INTERVAL_SECONDS,
    message: `To sign in, use a web browser to open the page ${address} and enter the code ${userCode} to authenticate.`,
  };
}

/** Handles the page that a person submits: the code, account and password, and yes or no. */
function confirm(grants: Grants, request: TenantRequest): TenantResponse {
  const form = new URLSearchParams(request.body.toString("utf8"));
  const code = (form.get("otc") ?? form.get("user_code") ?? "").toUpperCase().trim();
  const device = [...grants.memory.devices.values()].find((each) => each.userCode === code);
  const again = (problem: string) => confirmPage({ users: grants.users, code, problem });
  if (device === undefined || device.expiresAtMs <= grants.world.clock.now()) {
    return again("That code didn't work. Check the code and try again.");
  }
  if (form.get("decision") === "decline") {
    device.isDeclined = true;
    return messagePage("You cancelled the sign-in", "You can close this window now.");
  }
  const user = findPerson(grants.users, form.get("username") ?? "");
  if (user === null || user.password !== form.get("password")) {
    return again("Your account or password is incorrect.");
  }
  device.userId = user.id;
  return messagePage("You have signed in", "You can close this window now.");
}

/** `grant_type=urn:ietf:params:oauth:grant-type:device_code`, polled until the person decides. */
export function grantDevice(grants: Grants, request: TenantRequest, form: URLSearchParams): object {
  const { client, proof } = proveClient(grants.world, request, form);
  const code = form.get("device_code") ?? missingParameter("device_code");
  const device = grants.memory.devices.get(code);
  if (device === undefined || device.clientId !== client.appId) {
    refuse({
      error: "bad_verification_code",
      number: 70018,
      message:
        "Invalid verification code due to user typing in a wrong user code for device code flow.",
    });
  }
  if (device.isDeclined) {
    refuse({
      error: "authorization_declined",
      number: 70017,
      message: "The end user denied the authorization request.",
    });
  }
  if (device.expiresAtMs <= grants.world.clock.now()) {
    refuse({
      error: "expired_token",
      number: 70020,
      message: "The code that you entered has expired. Start the flow again.",
    });
  }
  const user = grants.users.find(({ id }) => id === device.userId);
  if (user === undefined) {
    refuse({
      error: "authorization_pending",
      number: 70016,
      message: "OAuth 2.0 device flow error. Authorization is pending. Continue polling.",
    });
  }
  grants.memory.devices.delete(code);
  const { scope } = device;
  return answerWithUserTokens(grants, {
    kind: "device_code",
    client,
    proof,
    user,
    scope,
    form,
    isStrong: false,
    nonce: null,
  });
}
