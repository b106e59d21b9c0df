/**
 * Settings that are stored in Azure Key Vault, written as App Service writes them. The vault is asked by Microsoft's SDK with
 * the identity of this machine or the one that `AZURE_CLIENT_ID` and related variables name.
 */
import { openAzureCredential } from "../lib/azure-credential.ts";
import { loadDriver } from "../lib/load-driver.ts";
import { isLoopbackHost } from "../lib/loopback.ts";
import type { RawSettings } from "./gather-settings.ts";

const BEGINNING = "@Microsoft.KeyVault(";
const HOSTS = ".vault.azure.net";
const NEEDED_FOR = "a Key Vault reference";
const SECRETS = "@azure/keyvault-secrets";
/** For all references together, with the SDK's own retries. */
const PATIENCE_MS = 30_000;

const FORMS =
  "must be @Microsoft.KeyVault(SecretUri=https://…/secrets/…) or @Microsoft.KeyVault(VaultName=…;SecretName=…)";

interface Place {
  readonly vault: string;
  readonly secret: string;
  readonly version: string | undefined;
}

/** What we use of the SDK, which most installations do not have. */
interface SecretClient {
  getSecret(
    name: string,
    options: { version?: string | undefined; abortSignal: AbortSignal },
  ): Promise<{ value?: string | undefined }>;
}
interface Sdk {
  readonly SecretClient: new (vault: string, credential: object, options: object) => SecretClient;
}

interface VaultAnswers {
  readonly values: Readonly<Record<string, string>>;
  /** Why a setting has no value, by its name. */
  readonly problems: Readonly<Record<string, string>>;
}

export const isVaultReference = (value: string | undefined): boolean =>
  value?.startsWith(BEGINNING) === true;

/** Nothing is loaded or called if there is no reference. */
export async function readVaultReferences(
  settings: Readonly<RawSettings>,
  isSetting: (name: string) => boolean,
): Promise<VaultAnswers> {
  const hosts = (settings["KeyVault__Hosts"] ?? HOSTS).split(",").map((host) => host.trim());
  const values: Record<string, string> = {};
  const problems: Record<string, string> = {};
  const places: [string, Place][] = [];
  for (const [name, value] of Object.entries(settings)) {
    // The environment also holds variables of other programs.
    if (!isVaultReference(value) || !(isSetting(name) || name.includes("__"))) continue;
    const place = readPlace(value!, hosts);
    if (typeof place === "string") problems[name] = place;
    else places.push([name, place]);
  }
  if (places.length === 0) return { values, problems };
  const readSecret = await openVaults(settings);
  for (const [name, place] of places)
    try {
      values[name] = await readSecret(place);
    } catch (error) {
      problems[name] = explain(error, place);
    }
  return { values, problems };
}

/** Where the reference points, or why it is refused: our token for the vault must reach no other host. */
function readPlace(reference: string, hosts: readonly string[]): Place | string {
  const [, inner] = /^@Microsoft\.KeyVault\(([^()]*)\)$/.exec(reference) ?? [];
  if (inner === undefined) return FORMS;
  const parts = new Map(
    inner.split(";").map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()] as const;
    }),
  );
  const uri = parts.get("secreturi") ?? toUri(parts, hosts[0]!);
  if (!URL.canParse(uri)) return FORMS;
  const url = new URL(uri);
  const [, secret, version] =
    /^\/secrets\/([\dA-Za-z-]{1,127})(?:\/(\w*))?\/?$/.exec(url.pathname) ?? [];
  const isBare = `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (secret === undefined || !isBare) return FORMS;
  const isVault = url.port === "" && hosts.some((ending) => url.hostname.endsWith(ending));
  if (url.protocol !== "https:" || !(isVault || isLoopbackHost(url.hostname)))
    return `must name a vault by https, at a host that ends with ${hosts.join(" or ")} (KeyVault__Hosts)`;
  return { vault: url.origin, secret, version: version || undefined };
}

/** Text that is no URL if a part is missing. */
function toUri(parts: ReadonlyMap<string, string>, host: string): string {
  const [vault, secret] = [parts.get("vaultname"), parts.get("secretname")];
  if (!vault || !secret) return "";
  return `https://${vault}${host}/secrets/${secret}/${parts.get("secretversion") ?? ""}`;
}

async function openVaults(settings: Readonly<RawSettings>) {
  const authority = settings["GRAPH_AUTHORITY"] ?? settings["Graph__Authority"];
  const { SecretClient } = await loadSdk();
  const credential = await openAzureCredential(NEEDED_FOR, authority, [SECRETS]);
  const abortSignal = AbortSignal.timeout(PATIENCE_MS);
  const clients = new Map<string, SecretClient>();
  const clientOf = (vault: string): SecretClient => {
    const client =
      clients.get(vault) ??
      new SecretClient(vault, credential, {
        // The SDK compares the vault's host with the audience that it asks a token for; this machine has no such name.
        disableChallengeResourceVerification: isLoopbackHost(new URL(vault).hostname),
      });
    clients.set(vault, client);
    return client;
  };
  return async ({ vault, secret, version }: Place): Promise<string> => {
    const { value } = await clientOf(vault).getSecret(secret, { version, abortSignal });
    return value ?? "";
  };
}

function loadSdk(): Promise<Sdk> {
  // Its types are not installed either, so the compiler must not look for them.
  const secrets: string = SECRETS;
  return loadDriver(
    NEEDED_FOR,
    [secrets, "@azure/identity"],
    async () => (await import(secrets)) as Sdk,
  );
}

function explain(error: unknown, { vault, secret, version }: Place): string {
  const { statusCode, message } = error as { statusCode?: number; message: string };
  const { host } = new URL(vault);
  const what = version === undefined ? secret : `version ${version} of ${secret}`;
  if (statusCode === 404) return `${host} has no ${what}`;
  if (statusCode === 403) return `${host} does not let this identity read ${what}`;
  return `${host} did not answer for ${what}: ${message.split("\n")[0]}`;
}
