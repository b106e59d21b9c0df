import type { Clock } from "./clock.ts";
import type { Faults } from "./faults.ts";
import type { TenantRequest, TenantResponse } from "./http.ts";
import type { Journal } from "./journal.ts";
import type { Random } from "./random.ts";

/** The caller according to the access token; `entra/` checks it and passes it to every part. */
export interface Caller {
  readonly tenantId: string;
  readonly appId: string;
  /** The user's object id, or the service principal's for an app-only token. */
  readonly objectId: string;
  readonly isAppOnly: boolean;
  readonly audience: string;
  /** Delegated scopes (`scp`). */
  readonly scopes: ReadonlySet<string>;
  /** Application roles (`roles`). */
  readonly roles: ReadonlySet<string>;
}

export interface User {
  readonly id: string;
  readonly userPrincipalName: string;
  readonly displayName: string;
  readonly mail: string;
  /** The password for the sign-in page. */
  readonly password: string;
  /** False for an account without a licence: Graph answers its mail calls with 404. */
  readonly hasMailbox: boolean;
  /** Roles that the user has in an API, by that API's app id. */
  readonly appRoles?: Readonly<Record<string, readonly string[]>>;
}

export interface AppRegistration {
  readonly appId: string;
  readonly displayName: string;
  readonly servicePrincipalId: string;
  /** False until the service principal of a new registration is created; before that, Entra gives it no token. */
  readonly hasPrincipal?: boolean;
  readonly secrets: string[];
  /** Expired secrets: the token endpoint answers them with AADSTS7000222. */
  readonly expiredSecrets?: string[];
  /** PEM certificates whose holder may sign client assertions. */
  readonly certificates?: string[];
  /**
   * Application permissions granted with admin consent: `Mail.Read` belongs to Graph, `{appId}/{role}` to an
   * API.
   */
  readonly appRoles: string[];
  /** Delegated scopes with consent: `Mail.Read` belongs to Graph, `{appId}/{scope}` to an API. */
  readonly delegatedScopes: string[];
  /** Scopes that this app offers to others, if it is an API itself. */
  readonly exposedScopes?: string[];
  /** Names besides the app id under which a token for this API can be requested, e.g. `api://…`. */
  readonly identifierUris?: string[];
  readonly redirectUris: string[];
  /** True for a desktop or command-line app: it has no secret and is not a page in a browser. */
  readonly isPublicClient?: boolean;
  /** 2 for our own API; null means version-1 tokens. */
  readonly accessTokenVersion: 1 | 2 | null;
}

/** What every part of the tenant receives. It is built once, in `create-tenant.ts`. */
export interface TenantContext {
  readonly tenantId: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly switches: Switches;
  readonly users: User[];
  readonly apps: AppRegistration[];
  /** The origin at which the tenant is reached, `http://127.0.0.1:PORT`; links in responses start with it. */
  origin(): string;
  /** Checks a bearer token; null if it is missing, forged, expired or for another audience. */
  authenticate(authorization: string | undefined, audience: string): Promise<Caller | null>;
  /** The token that proves to `appId` that a rich notification comes from Graph. */
  mintValidationToken(appId: string): string;
  /**
   * The response of any part to a request, as the server would return it; `$batch` uses it to reach drives.
   */
  dispatch?(request: TenantRequest): Promise<TenantResponse>;
  /** Where large files of the drives are kept for the next start; otherwise they are temporary. */
  readonly contentFolder?: string;
  /** Puts a notification into the tenant's event hub; returns false if it has no hub of that name. */
  publish?(hubName: string, body: string): boolean;
  /** How the tenant calls out (notifications, handshakes, webhooks); tests may answer in-process. */
  send(request: OutgoingRequest): Promise<OutgoingAnswer>;
}

export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly timeoutMs: number;
}

/** `status` 0 means that the connection failed or timed out. */
export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly tookMs: number;
}

/**
 * Settings for points on which Microsoft's documentation is silent or contradictory, and limits that tests
 * lower.
 */
export interface Switches {
  /** A second subscription with the same change types and resource: documented 409, observed otherwise. */
  duplicateSubscription: "conflict" | "coexist";
  handshakeOnRenew: boolean;
  /** How many items one delivery may carry. */
  notificationsPerPost: number;
  /** What an immutable-id subscription without a folder reports when a message moves. */
  moveNotification: "updated" | "deleted-and-created";
  messageDeltaPageSize: number;
  /** How many sync-state generations a folder keeps; an older link is answered with 410. */
  deltaGenerations: number;
  tokenLifetimeSeconds: number | "random";
  /** Multiplies Graph's delivery delay; 0 delivers immediately. */
  deliveryDelayMs: number;
  throttling: boolean;
  uploadSessionLifetimeMs: number;
  /** Records every request in the journal, not only what it changed. */
  journalRequests: boolean;
  /** Status of `invalid_client`; the documentation says 400 for all errors, in practice it is 401. */
  invalidClientStatus: 400 | 401;
  /**
   * Repeating a token request this many times within five minutes counts as a loop (AADSTS50196); 0 means
   * never.
   */
  tokenLoopLimit: number;
  [name: string]: unknown;
}
