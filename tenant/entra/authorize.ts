import type { TenantContext, User } from "../context.ts";
import type { createRouter, TenantRequest, TenantResponse } from "../http.ts";
import { asksForStrongSignIn } from "./conditional-access.ts";
import { type EntraProblem, EntraRefusal } from "./entra-error.ts";
import { type Grants, grantScopes, readScopes } from "./grants.ts";
import { type Asked, readAsked } from "./read-asked.ts";
import { findPerson, type Session } from "./sessions.ts";
import { formPostPage, signedOutPage, signInPage, withErrorPage } from "./sign-in-page.ts";

const CODE_LIFETIME_MS = 10 * 60_000;
const COOKIE = "tenantsession";

/**
 * The sign-in page, with the few steps that a browser application needs: request, sign in, return with a
 * code.
 */
export function addAuthorizeRoutes(
  router: ReturnType<typeof createRouter>,
  context: TenantContext,
  grants: Grants,
): void {
  // Without a known client and redirect URI, nobody is redirected: the page shows the reason.
  const guarded = (answer: (request: TenantRequest) => TenantResponse) =>
    withErrorPage(context, answer);
  const ask = guarded((request) => askToSignIn(grants, request, request.query));
  const signIn = guarded((request) => signInAndReturn(context, grants, request));
  for (const version of ["v2.0/", ""]) {
    router.on("GET", `/{tenant}/oauth2/${version}authorize`, ask);
    router.on("POST", `/{tenant}/oauth2/${version}authorize`, signIn);
    router.on("GET", `/{tenant}/oauth2/${version}logout`, (request) =>
      signOut(context, grants, request),
    );
  }
}

function askToSignIn(
  grants: Grants,
  request: TenantRequest,
  fields: URLSearchParams,
): TenantResponse {
  const asked = readAsked(grants, fields);
  const problem = findProblem(grants, asked);
  if (problem !== null) return goBackWithError(asked, problem);
  const session = sessionOf(grants, request);
  const prompt = fields.get("prompt");
  const isEnough =
    session !== null && (session.isStrong || !asksForStrongSignIn(fields.get("claims")));
  if (isEnough && prompt !== "login" && prompt !== "select_account" && prompt !== "create") {
    return goBackWithCode(grants, asked, session);
  }
  if (prompt === "none") {
    return goBackWithError(asked, {
      error: "login_required",
      number: 50058,
      message: "A silent sign-in request was sent but no user is signed in.",
    });
  }
  return signInPage({
    fields,
    users: grants.users,
    appName: asked.client.displayName,
    problem: null,
  });
}

/** Problems with the request itself; the redirect reports them to the application. */
function findProblem(grants: Grants, { client, fields }: Asked): EntraProblem | null {
  const wrong = findWrongParameter(fields);
  if (wrong !== null) return wrong;
  if (client.secrets.length === 0 && !fields.get("code_challenge")) {
    return {
      error: "invalid_request",
      number: 9002325,
      message:
        "Proof Key for Code Exchange is required for cross-origin authorization code redemption.",
    };
  }
  try {
    grantScopes(client, readScopes(grants.world, fields.get("scope") ?? ""));
    return null;
  } catch (error) {
    if (error instanceof EntraRefusal) return error.problem;
    throw error;
  }
}

const PROMPTS = ["login", "none", "consent", "select_account", "create"];
const MODES = ["query", "fragment", "form_post"];
const CHALLENGES = ["S256", "plain"];

/** A parameter with a value that Entra does not have. */
function findWrongParameter(fields: URLSearchParams): EntraProblem | null {
  const type = fields.get("response_type");
  if (!type) {
    return {
      error: "invalid_request",
      number: 900144,
      message: "The request body must contain the following parameter: 'response_type'.",
    };
  }
  if (type !== "code") {
    return {
      error: "unsupported_response_type",
      number: type.split(" ").includes("token") ? 700051 : 700054,
      message: `response_type '${type}' is not enabled for the application.`,
    };
  }
  // Version 1 names a resource instead.
  if (!fields.get("scope") && !fields.get("resource")) {
    return {
      error: "invalid_request",
      number: 900144,
      message: "The request body must contain the following parameter: 'scope'.",
    };
  }
  if (isUnknown(fields.get("response_mode"), MODES)) {
    const message = `'${fields.get("response_mode")}' is not a supported value of 'response_mode' when requesting a code.`;
    return { error: "invalid_request", number: 70007, message };
  }
  if (isUnknown(fields.get("prompt"), PROMPTS)) {
    return { error: "invalid_request", number: 90023, message: "Unsupported 'prompt' value." };
  }
  return findWrongChallenge(fields);
}

/** RFC 7636: a challenge has 43 to 128 characters. */
function findWrongChallenge(fields: URLSearchParams): EntraProblem | null {
  const wrong = (number: number, message: string) => ({
    error: "invalid_request",
    number,
    message,
  });
  if (isUnknown(fields.get("code_challenge_method"), CHALLENGES)) {
    return wrong(50149, "Invalid Code_Challenge_method parameter.");
  }
  const { length } = fields.get("code_challenge") || "x".repeat(43);
  return length < 43 || length > 128
    ? wrong(501491, "Invalid size of Code_Challenge parameter.")
    : null;
}

function isUnknown(value: string | null, known: readonly string[]): boolean {
  return value !== null && value !== "" && !known.includes(value);
}

function signInAndReturn(
  context: TenantContext,
  grants: Grants,
  request: TenantRequest,
): TenantResponse {
  const form = new URLSearchParams(request.body.toString("utf8"));
  const asked = readAsked(grants, form);
  const problem = findProblem(grants, asked);
  if (problem !== null) return goBackWithError(asked, problem);
  const user = findPerson(grants.users, form.get("username") ?? "");
  if (user === null || user.password !== form.get("password")) {
    const appName = asked.client.displayName;
    const wrong = "Your account or password is incorrect.";
    return signInPage({ fields: form, users: grants.users, appName, problem: wrong });
  }
  const session = { userId: user.id, isStrong: asksForStrongSignIn(form.get("claims")) };
  const id = grants.world.random.bytes(24).toString("base64url");
  grants.memory.sessions.set(id, session);
  context.journal.record("user.signed-in", {
    user: user.userPrincipalName,
    clientId: asked.client.appId,
  });
  const response = goBackWithCode(grants, asked, session);
  response.headers = { ...response.headers, "set-cookie": cookieOf(context, id) };
  return response;
}

/** Silent sign-in runs in a frame of another site, which only `None` over https allows. */
function cookieOf(context: TenantContext, id: string): string {
  const site = context.origin().startsWith("https:") ? "SameSite=None; Secure" : "SameSite=Lax";
  return `${COOKIE}=${id}; Path=/; HttpOnly; ${site}`;
}

function sessionOf(grants: Grants, request: TenantRequest): Session | null {
  const id = new RegExp(`(?:^|;\\s*)${COOKIE}=([^;]+)`).exec(request.headers["cookie"] ?? "")?.[1];
  return (id && grants.memory.sessions.get(id)) || null;
}

function goBackWithCode(grants: Grants, asked: Asked, session: Session): TenantResponse {
  const { world, memory } = grants;
  const { fields, client, redirectUri } = asked;
  const code = `1.${world.random.bytes(32).toString("base64url")}`;
  const challenge = fields.get("code_challenge");
  memory.codes.set(code, {
    userId: session.userId,
    clientId: client.appId,
    scope: fields.get("scope") ?? "",
    isStrong: session.isStrong,
    expiresAtMs: world.clock.now() + CODE_LIFETIME_MS,
    redirectUri,
    nonce: fields.get("nonce"),
    challenge: challenge
      ? { method: fields.get("code_challenge_method") ?? "plain", value: challenge }
      : null,
    isUsed: false,
  });
  const user = grants.users.find((each) => each.id === session.userId) as User;
  const clientInfo = Buffer.from(JSON.stringify({ uid: user.id, utid: world.tenantId })).toString(
    "base64url",
  );
  return goBack(asked, { code, client_info: clientInfo, session_state: world.random.uuid() });
}

function goBackWithError(asked: Asked, problem: EntraProblem): TenantResponse {
  return goBack(asked, {
    error: problem.error,
    error_description: `AADSTS${problem.number}: ${problem.message}`,
    ...(problem.suberror ? { suberror: problem.suberror } : {}),
  });
}

function goBack({ fields, redirectUri }: Asked, answer: Record<string, string>): TenantResponse {
  const state = fields.get("state");
  const values = new URLSearchParams({ ...answer, ...(state === null ? {} : { state }) });
  const mode = fields.get("response_mode") ?? "query";
  if (mode === "form_post") return formPostPage(redirectUri, values);
  const mark = mode === "fragment" ? "#" : redirectUri.includes("?") ? "&" : "?";
  return {
    status: 302,
    headers: { location: `${redirectUri}${mark}${values}`, "cache-control": "no-store" },
  };
}

function signOut(context: TenantContext, grants: Grants, request: TenantRequest): TenantResponse {
  const id = new RegExp(`${COOKIE}=([^;]+)`).exec(request.headers["cookie"] ?? "")?.[1];
  if (id) grants.memory.sessions.delete(id);
  const cleared = { "set-cookie": `${cookieOf(context, "")}; Max-Age=0` };
  const target = request.query.get("post_logout_redirect_uri");
  const isKnown = target !== null && context.apps.some((app) => app.redirectUris.includes(target));
  if (isKnown) return { status: 302, headers: { ...cleared, location: target } };
  const page = signedOutPage();
  return { ...page, headers: { ...page.headers, ...cleared } };
}
