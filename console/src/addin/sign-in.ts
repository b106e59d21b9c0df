/** Who saves. Inside Office the host signs people in; where it cannot, a window does. Tokens stay in memory. */
import type { GetToken } from "./server.ts";

export interface SamplePerson {
  readonly id: string;
  readonly name: string;
}

export interface SignInSettings {
  readonly isDemo: boolean;
  readonly people: readonly SamplePerson[];
  readonly signIn: {
    readonly authority: string;
    readonly clientId: string;
    readonly scope: string;
  } | null;
}

export async function loadSettings(): Promise<SignInSettings> {
  const answer = await fetch("/api/console/settings");
  return (await answer.json()) as SignInSettings;
}

/** Only with the local tenant, whose people are made up. */
export function signInAs(person: SamplePerson): GetToken {
  let held = { token: "", endsAt: 0 };
  return async () => {
    if (held.endsAt > Date.now()) return held.token;
    const answer = await fetch("/api/console/sample-token", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ personId: person.id }),
    });
    if (!answer.ok) throw new Error("this person cannot sign in");
    const { token, expiresInSeconds } = (await answer.json()) as {
      token: string;
      expiresInSeconds: number;
    };
    held = { token, endsAt: Date.now() + (expiresInSeconds - 60) * 1_000 };
    return token;
  };
}

/** Nested app authentication where the host offers it; otherwise the same library opens a window. */
export async function signInWithEntra(
  { authority, clientId, scope }: NonNullable<SignInSettings["signIn"]>,
  isNested: boolean,
): Promise<GetToken> {
  const msal = await import("@azure/msal-browser");
  const config = {
    auth: { authority, clientId, redirectUri: `${location.origin}/signed-in` },
    cache: { cacheLocation: "memoryStorage" as const },
  };
  const app = isNested
    ? await msal.createNestablePublicClientApplication(config)
    : await msal.createStandardPublicClientApplication(config);
  const scopes = [scope];
  let account = (
    await app.acquireTokenPopup({ scopes }).catch((error: unknown) => {
      throw error instanceof Error ? error : new Error("sign-in was not completed");
    })
  ).account;
  return async () => {
    try {
      return (await app.acquireTokenSilent({ scopes, account })).accessToken;
    } catch (error) {
      if (!(error instanceof msal.InteractionRequiredAuthError)) throw error;
      const again = await app.acquireTokenPopup({ scopes });
      account = again.account;
      return again.accessToken;
    }
  };
}
