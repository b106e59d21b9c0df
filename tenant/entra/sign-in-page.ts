import type { TenantContext, User } from "../context.ts";
import type { TenantRequest, TenantResponse } from "../http.ts";
import { type EntraProblem, EntraRefusal } from "./entra-error.ts";
import { checkTenant } from "./tenant-name.ts";

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1rem}
label{display:block;margin:.75rem 0}input{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.4rem}
button{font:inherit;padding:.4rem 1.5rem}.wrong{color:#a00}code{word-break:break-all}`;

export interface SignInPage {
  /** The authorization request; the form repeats it as hidden fields. */
  readonly fields: URLSearchParams;
  readonly users: readonly User[];
  readonly appName: string;
  readonly problem: string | null;
}

export function signInPage({ fields, users, appName, problem }: SignInPage): TenantResponse {
  const typed = new Set(["username", "password"]);
  const hidden = [...fields]
    .filter(([name]) => !typed.has(name))
    .map(
      ([name, value]) =>
        `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
    );
  const name = fields.get("username") ?? fields.get("login_hint") ?? "";
  const known = users.map((user) => `<option value="${escapeHtml(user.userPrincipalName)}">`);
  return page(
    "Sign in",
    `<h1>Sign in</h1><p>to ${escapeHtml(appName)}. This is a local tenant; nothing leaves this machine.</p>
${problem === null ? "" : `<p class="wrong" role="alert">${escapeHtml(problem)}</p>`}
<form method="post">${hidden.join("")}
<label>Account <input name="username" list="known" value="${escapeHtml(name)}" autocomplete="username" required autofocus></label>
<datalist id="known">${known.join("")}</datalist>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button type="submit">Sign in</button></form>`,
  );
}

interface Question {
  readonly users: readonly User[];
  readonly problem: string | null;
}

/** Where a person enters the code that a command line shows. */
export function confirmPage({ code, problem }: Question & { code: string }): TenantResponse {
  return page(
    "Enter code",
    `<h1>Enter code</h1>${wrongLine(problem)}<form method="post">
<label>Code <input name="otc" value="${escapeHtml(code)}" required autofocus></label>${CREDENTIALS}
<button name="decision" value="accept">Sign in</button> <button name="decision" value="decline" formnovalidate>Cancel</button></form>`,
  );
}

/** Where an administrator accepts the permissions of an app for everybody. */
export function consentPage(asked: SignInPage): TenantResponse {
  const { fields, appName, problem } = asked;
  const hidden = [...fields]
    .filter(([name]) => !["username", "password", "decision"].includes(name))
    .map(
      ([name, value]) =>
        `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
    );
  return page(
    "Permissions requested",
    `<h1>Permissions requested</h1><p>${escapeHtml(appName)} asks for ${escapeHtml(fields.get("scope") ?? "its permissions")}, for everybody in the organization.</p>
${wrongLine(problem)}<form method="post">${hidden.join("")}${CREDENTIALS}
<button name="decision" value="accept">Accept</button> <button name="decision" value="decline" formnovalidate>Cancel</button></form>`,
  );
}

export function messagePage(title: string, text: string): TenantResponse {
  return page(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`);
}

const CREDENTIALS = `<label>Account <input name="username" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>`;

function wrongLine(problem: string | null): string {
  return problem === null ? "" : `<p class="wrong" role="alert">${escapeHtml(problem)}</p>`;
}

function errorPage(problem: EntraProblem): TenantResponse {
  const body = `<h1>Sorry, but we're having trouble signing you in.</h1><p class="wrong">AADSTS${problem.number}: ${escapeHtml(problem.message)}</p>`;
  return { ...page("Sign in", body), status: problem.status ?? 400 };
}

/** Shows a refusal as a web page, because these requests come from a browser. */
export function withErrorPage(
  context: TenantContext,
  answer: (request: TenantRequest) => TenantResponse,
): (request: TenantRequest) => TenantResponse {
  return (request) => {
    try {
      checkTenant(context, request.params["tenant"]!);
      return answer(request);
    } catch (error) {
      if (error instanceof EntraRefusal) return errorPage(error.problem);
      throw error;
    }
  };
}

export function signedOutPage(): TenantResponse {
  return page("Signed out", "<h1>You signed out of your account</h1>");
}

/** `response_mode=form_post`: the browser posts the response to the application. */
export function formPostPage(target: string, values: URLSearchParams): TenantResponse {
  const hidden = [...values].map(
    ([name, value]) =>
      `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return page(
    "Working…",
    `<form method="post" action="${escapeHtml(target)}">${hidden.join("")}<noscript><button>Continue</button></noscript></form>
<script>document.forms[0].submit()</script>`,
  );
}

function page(title: string, body: string): TenantResponse {
  return {
    status: 200,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body>${body}</body></html>`,
  };
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (sign) => names[sign]!);
}
