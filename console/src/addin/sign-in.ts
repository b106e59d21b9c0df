/** Who saves. Inside Office the host signs people in; where it cannot, a window does. Tokens stay in memory. */
import type { EntraSettings } from "../session/msal.ts";
import { keepToken, type SamplePerson } from "../session/sample-token.ts";
import type { GetToken } from "./server.ts";

export interface SignInSettings {
  readonly isDemo: boolean;
  readonly people: readonly SamplePerson[];
  readonly signIn: EntraSettings | null;
}

export async function loadSettings(): Promise<SignInSettings> {
  const answer = await fetch("/api/console/settings");
  return (await answer.json()) as SignInSettings;
}

/** Only with the local tenant, whose people are made up. */
export function signInAs(person: SamplePerson): GetToken {
  return keepToken(async () => {
    const answer = await fetch("/api/console/sample-token", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ personId: person.id }),
    });
    if (!answer.ok) throw new Error("this person cannot sign in");
    return answer.json();
  });
}

/** Nested app authentication where the host offers it; otherwise the same library opens a window. */
export async function signInWithEntra(
  settings: EntraSettings,
  isNested: boolean,
): Promise<GetToken> {
  const { createMsal } = await import("../session/msal.ts");
  const msal = await createMsal(settings, isNested);
  const again = async () => {
    await msal.signIn();
    return msal.token();
  };
  return async () => {
    const token = (await msal.token()) ?? (await again());
    if (token === null) throw new Error("sign-in was not completed");
    return token;
  };
}
