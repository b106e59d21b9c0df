/**
 * The identity of this machine at Azure, or the one that `AZURE_CLIENT_ID` and related variables name, by Microsoft's SDK:
 * services that know it need no key.
 */
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
  return new DefaultAzureCredential(
    authorityHost === ENTRA ? {} : { authorityHost, disableInstanceDiscovery: true },
  );
}
