/**
 * A person lets Postroom read their own mailbox: authorization code with PKCE. The state that Entra sends back is
 * known to nobody else, works once and for ten minutes, and only for the person who was asked.
 */
import { createHash } from "node:crypto";
import { sha256Hex } from "../../lib/hash.ts";
import type { Random } from "../../lib/random.ts";
import type { Seal } from "../../lib/seal.ts";
import { type CodeGrant, redeemCode } from "../../microsoft/identity/redeem-code.ts";
import type { Database } from "../../store/database.ts";
import type { ConnectionSettings } from "../connections.ts";
import { personalConnection } from "../consent.ts";
import { putConsent, removeConsent } from "../consent-table.ts";
import { getMailboxByAddress } from "../mailbox-table.ts";
import { type AddedMailbox, type AddMailboxNeeds, addMailbox } from "../operating/add-mailbox.ts";
import { addConsentRequest, takeConsentRequest } from "./consent-request-table.ts";

export interface ConnectNeeds extends AddMailboxNeeds {
  readonly database: Database;
  readonly random: Random;
  readonly seal: Seal;
  /** The apps that may ask, by the name of their connection. */
  readonly settings: Readonly<Record<string, ConnectionSettings>>;
  /** Where Entra sends the browser back to. */
  readonly redirectUri: string;
}

const SIGN_IN_SECONDS = 600;
const SCOPES = ["https://graph.microsoft.com/Mail.Read", "https://graph.microsoft.com/User.Read"];

/** Returns the address at which the person signs in; null if there is no such connection. */
export async function beginConnect(
  needs: ConnectNeeds,
  asked: { readonly connection: string; readonly wanted: string; readonly askedBy: string },
): Promise<string | null> {
  const app = needs.settings[asked.connection];
  if (app === undefined || app.refreshToken !== undefined) return null;
  const state = needs.random.bytes(32).toString("base64url");
  const verifier = needs.random.bytes(32).toString("base64url");
  await addConsentRequest(
    needs.database,
    { ...asked, stateHash: hashOf(state), sealedVerifier: needs.seal.close(verifier) },
    SIGN_IN_SECONDS,
  );
  const url = new URL(`${app.authorityOrigin}/${app.tenantId}/oauth2/v2.0/authorize`);
  const parameters = {
    client_id: app.clientId,
    response_type: "code",
    response_mode: "query",
    redirect_uri: needs.redirectUri,
    scope: [...SCOPES, "offline_access", "openid", "profile"].join(" "),
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    prompt: "select_account",
    ...(asked.wanted.includes("@") ? { login_hint: asked.wanted } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

export type Connected =
  | { readonly refused: string }
  | { readonly refused: null; readonly address: string };

/** What Entra's answer leads to. */
export async function endConnect(
  needs: ConnectNeeds,
  answer: { readonly state: string; readonly code: string },
): Promise<Connected> {
  const request = await takeConsentRequest(needs.database, hashOf(answer.state));
  const verifier = request === null ? null : needs.seal.open(request.sealedVerifier);
  const app = request === null ? undefined : needs.settings[request.connection];
  if (request === null || verifier === null || app === undefined)
    return { refused: "this sign-in has ended or was used before; begin again" };
  const grant = await redeemCode(app, {
    code: answer.code,
    verifier,
    scopes: SCOPES,
    redirectUri: needs.redirectUri,
  });
  if (!isWanted(grant, request.wanted))
    return { refused: "somebody else signed in than the one who was asked; nothing was connected" };
  return keep(needs, request.connection, grant);
}

const hashOf = (state: string): string => sha256Hex(`consent-state:${state}`);

/** By the object id, or by the address that a sign-in was asked for; both come from Entra's own answer. */
function isWanted({ personId, names }: CodeGrant, wanted: string): boolean {
  return wanted === personId || names.some((name) => name.toLowerCase() === wanted.toLowerCase());
}

async function keep(needs: ConnectNeeds, base: string, grant: CodeGrant): Promise<Connected> {
  const { personId, names, refreshToken } = grant;
  const connection = personalConnection(base, personId);
  const address = names[0]!.toLowerCase();
  const known = await getMailboxByAddress(needs.database, address);
  if (known !== null && known.connection !== connection)
    return { refused: `${address} is already watched; an operator must remove it first` };
  await putConsent(
    needs.database,
    { connection, personId, address },
    needs.seal.close(refreshToken),
  );
  const added: AddedMailbox = await addMailbox(needs, { address, connection, ownerId: personId });
  if (added.isReadable) return { refused: null, address };
  await removeConsent(needs.database, connection);
  return { refused: `${address} cannot be watched: ${added.reason}` };
}
