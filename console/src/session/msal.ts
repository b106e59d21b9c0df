/**
 * Sign-in with Microsoft's library, code and PKCE, for the console and the Office pane. Tokens stay in memory; the
 * browser keeps nothing. It opens a window of its own, because the library refuses to leave the page without storage, and
 * because what was typed on the page stays there.
 */
import {
  type AccountInfo,
  createNestablePublicClientApplication,
  createStandardPublicClientApplication,
  InteractionRequiredAuthError,
} from "@azure/msal-browser";

export interface EntraSettings {
  readonly authority: string;
  readonly clientId: string;
  readonly scope: string;
}

/** `isNested`: inside an Office that signs people in itself. */
export async function createMsal(settings: EntraSettings, isNested = false) {
  const config = {
    auth: {
      clientId: settings.clientId,
      ...addressesOf(settings.authority),
      knownAuthorities: [new URL(settings.authority).host],
      redirectUri: `${location.origin}/signed-in`,
    },
    cache: { cacheLocation: "memoryStorage" as const },
  };
  const app = isNested
    ? await createNestablePublicClientApplication(config)
    : await createStandardPublicClientApplication(config);
  const scopes = [settings.scope];
  let account: AccountInfo | null = null;
  return {
    async signIn(): Promise<void> {
      account = (await app.acquireTokenPopup({ scopes })).account;
    },
    /** Null if Entra wants to see the person again. */
    async token(): Promise<string | null> {
      if (account === null) return null;
      try {
        return (await app.acquireTokenSilent({ scopes, account })).accessToken;
      } catch (error) {
        if (error instanceof InteractionRequiredAuthError) return null;
        throw error;
      }
    },
  };
}

/** MSAL refuses an http authority, such as the local tenant: it gets an https name, and the real endpoints with it. */
function addressesOf(authority: string): { authority: string; authorityMetadata?: string } {
  if (!authority.startsWith("http://")) return { authority };
  const [origin, tenant] = [new URL(authority).origin, authority.split("/").at(-1)];
  const base = `${origin}/${tenant}`;
  return {
    authority: authority.replace("http://", "https://"),
    authorityMetadata: JSON.stringify({
      authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
      token_endpoint: `${base}/oauth2/v2.0/token`,
      end_session_endpoint: `${base}/oauth2/v2.0/logout`,
      issuer: `${base}/v2.0`,
      jwks_uri: `${base}/discovery/v2.0/keys`,
    }),
  };
}
