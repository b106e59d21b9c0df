import https from "node:https";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../test/helpers/browser.ts";
import { type AppRegistration, createTenant } from "./index.ts";
import { createLocalTls } from "./tls.ts";

const tenant = await createTenant({ tls: true, serviceBus: false });
const [, api, spa] = tenant.apps as [AppRegistration, AppRegistration, AppRegistration];
const scope = `api://${api.appId}/user_impersonation`;
let browser: Browser;
let server: https.Server;
let pageUrl: string;

/** A page as an application would write it, on its own origin; `msal` is Microsoft's package. */
const PAGE_SCRIPT = `
import { PublicClientApplication } from "@azure/msal-browser";
const app = new PublicClientApplication({
  auth: {
    clientId: "${spa.appId}",
    authority: "${tenant.addresses.entra}/${tenant.tenantId}",
    knownAuthorities: ["${new URL(tenant.addresses.entra).host}"],
    redirectUri: location.origin + "/",
  },
});
await app.initialize();
const answer = await app.handleRedirectPromise().catch((error) => ({ error: error.errorCode }));
window.result = answer;
window.signIn = (extra) => app.loginRedirect({ scopes: ["${scope}"], ...extra });
window.acquire = (forceRefresh) =>
  app.acquireTokenSilent({ scopes: ["${scope}"], account: app.getAllAccounts()[0], forceRefresh });
document.title = "ready";
`;

beforeAll(async () => {
  const bundle = await build({
    stdin: { contents: PAGE_SCRIPT, resolveDir: import.meta.dirname },
    bundle: true,
    format: "esm",
    write: false,
  });
  const script = bundle.outputFiles[0]!.text;
  server = https.createServer(await createLocalTls(), (request, response) => {
    const isScript = request.url === "/page.js";
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" });
    response.end(
      isScript ? script : `<!doctype html><script type="module" src="/page.js"></script>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  pageUrl = `https://localhost:${(server.address() as AddressInfo).port}/`;
  spa.redirectUris.push(pageUrl);
  browser = await openBrowser("--ignore-certificate-errors");
});
afterAll(async () => {
  await browser?.close();
  server?.close();
  await tenant.close();
});

async function openPage(): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(pageUrl);
  await isReady(page);
  return page;
}

const isReady = (page: Page) => page.waitForFunction("document.title === 'ready'");
const call = <T>(page: Page, expression: string) => page.evaluate(expression) as Promise<T>;

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel("Account").fill(tenant.users[1]!.userPrincipalName);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

interface SignInResult {
  readonly accessToken: string;
  readonly fromCache: boolean;
  readonly idTokenClaims: Record<string, unknown>;
  readonly account: { readonly username: string };
}

it("a browser application signs a user in with code and PKCE, and gets a token for its API", async () => {
  const page = await openPage();
  await call(page, "void window.signIn()");
  await page.waitForURL(/oauth2\/v2\.0\/authorize/);
  await signIn(page, "wrong");
  await page.getByRole("alert").waitFor();
  await signIn(page, tenant.users[1]!.password);
  await page.waitForURL(`${pageUrl}**`);
  await isReady(page);
  const result = await call<SignInResult>(page, "window.result");
  expect(result.account.username).toBe(tenant.users[1]!.userPrincipalName);
  expect(result.idTokenClaims).toMatchObject({ oid: tenant.users[1]!.id, tid: tenant.tenantId });
  const caller = await tenant.context.authenticate(`Bearer ${result.accessToken}`, api.appId);
  expect(caller).toMatchObject({
    objectId: tenant.users[1]!.id,
    appId: spa.appId,
    audience: api.appId,
  });
  expect([...(caller?.scopes ?? [])]).toEqual(["user_impersonation"]);

  const cached = await call<SignInResult>(page, "window.acquire(false)");
  expect(cached).toMatchObject({ fromCache: true, accessToken: result.accessToken });
  const refreshed = await call<SignInResult>(page, "window.acquire(true)");
  expect(refreshed.fromCache).toBe(false);
  expect(refreshed.accessToken).not.toBe(result.accessToken);
});

it("an unregistered redirect address stays on Entra's page, which explains why", async () => {
  const page = await openPage();
  await call(page, "void window.signIn({ redirectUri: location.origin + '/elsewhere' })");
  await page.waitForURL(/oauth2\/v2\.0\/authorize/);
  expect(await page.textContent("body")).toContain("AADSTS50011");
});
