/** Sign-in with Microsoft's library, code and PKCE. Tokens stay in memory; the browser keeps nothing. */
import { type AccountInfo, PublicClientApplication } from "@azure/msal-browser";

export async function createMsal(settings: {
  readonly authority: string;
  readonly clientId: string;
  readonly scope: string;
}) {
  const app = new PublicClientApplication({
    auth: {
      clientId: settings.clientId,
      authority: settings.authority,
      knownAuthorities: [new URL(settings.authority).host],
      redirectUri: `${location.origin}/`,
      ...metadataFor(settings.authority),
    },
    cache: { cacheLocation: "memoryStorage" },
  });
  await app.initialize();
  const scopes = [settings.scope];
  let account: AccountInfo | null = null;
  return {
    /** False if nobody came back from Entra. */
    async finishRedirect(): Promise<boolean> {
      const answer = await app.handleRedirectPromise();
      account = answer?.account ?? null;
      return account !== null;
    },
    redirect: (): Promise<void> => app.loginRedirect({ scopes }),
    async token(): Promise<string | null> {
      if (account === null) return null;
      return (await app.acquireTokenSilent({ scopes, account })).accessToken;
    },
  };
}

/** MSAL refuses to look up the endpoints of an http authority, such as the local tenant, so they are given. */
function metadataFor(authority: string): { authorityMetadata?: string } {
  if (!authority.startsWith("http://")) return {};
  const [origin, tenant] = [new URL(authority).origin, authority.split("/").at(-1)];
  const base = `${origin}/${tenant}`;
  return {
    authorityMetadata: JSON.stringify({
      authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
      token_endpoint: `${base}/oauth2/v2.0/token`,
      end_session_endpoint: `${base}/oauth2/v2.0/logout`,
      issuer: `${base}/v2.0`,
      jwks_uri: `${base}/discovery/v2.0/keys`,
    }),
  };
}
