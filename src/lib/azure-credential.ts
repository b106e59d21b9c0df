/**
 * The identity of this machine at Azure, or the one that `AZURE_CLIENT_ID` and related variables name, by Microsoft's SDK:
 * services that know it need no key.
 */
import { Fault } from "./fault.ts";
import { loadDriver } from "./load-driver.ts";

/** As Microsoft's SDKs take it. */
export interface AzureCredential {
  getToken(
    scopes: string | string[],
    options?: object,
  ): Promise<{ token: string; expiresOnTimestamp: number } | null>;
}

interface Sdk {
  readonly DefaultAzureCredential: new (options: object) => AzureCredential;
}

export const ENTRA = "https://login.microsoftonline.com";

/** `what` needs the identity, and perhaps `packages` too; the fault about a missing package names all of them. */
export async function openAzureCredential(
  what: string,
  authorityHost: string = ENTRA,
  packages: readonly string[] = [],
): Promise<AzureCredential> {
  // Most installations do not have it, so the compiler must not look for its types.
  const identity: string = "@azure/identity";
  const { DefaultAzureCredential } = await loadDriver(
    what,
    [...packages, identity],
    async () => (await import(identity)) as Sdk,
  );
  // An authority that is named here need not be one that Microsoft's public directory knows.
  const credential = new DefaultAzureCredential(
    authorityHost === ENTRA ? {} : { authorityHost, disableInstanceDiscovery: true },
  );
  return {
    async getToken(scopes, options) {
      try {
        return await credential.getToken(scopes, options);
      } catch (error) {
        const text = `${what} needs an identity that this machine does not have: ${reasonOf(error)}`;
        throw new Fault("settings.bad", text, { cause: error });
      }
    },
  };
}

/** The SDK lists every way that it tried; only what Entra says about an app that the environment names is of use. */
function reasonOf(error: unknown): string {
  const refusal = /AADSTS\d+:[^\r\n]*/.exec((error as Error).message)?.[0];
  return (
    refusal ?? "it has no managed identity, and AZURE_CLIENT_ID and related variables name none"
  );
}
