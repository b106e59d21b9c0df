/** The tenants and apps that mailboxes are read with, by name; each has its own tokens and limits. */
import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/fault.ts";
import { createHttp, type Http } from "../lib/http.ts";
import type { Random } from "../lib/random.ts";
import type { Secret } from "../lib/redact.ts";
import { createGraphClient, type GraphClient } from "../microsoft/graph/graph-client.ts";
import { createMailboxLimiter } from "../microsoft/graph/mailbox-limiter.ts";
import { claimsOf, createAppTokens } from "../microsoft/identity/app-token.ts";
import { createUserTokens, type KeptRefreshToken } from "../microsoft/identity/user-token.ts";
import type { TokenSource } from "../microsoft/transport/transport.ts";
import type { Queryable } from "../store/database.ts";
import { baseOf, isPersonal } from "./consent.ts";
import { keepRefreshTokens } from "./refresh-token-table.ts";

export interface ConnectionSettings {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly graphOrigin: string;
  readonly authorityOrigin: string;
  /** A person's consent instead of application permissions. */
  readonly refreshToken?: Secret;
}

export interface Connections {
  readonly names: readonly string[];
  /** Throws if there is no such connection. */
  graph(connection: string): GraphClient;
  tenantOf(connection: string): string | null;
  /** The access token that this mailbox is read with: the app's own, or that of the person who consented. */
  getAccessTokenForMailbox(
    mailbox: { readonly connection: string },
    options?: { readonly forceNew?: boolean },
  ): Promise<string>;
  /** The object id of the one person whose mail can be read; null with application permissions. */
  personOf(connection: string): Promise<string | null>;
  /** How far our clock is ahead of Graph's, in milliseconds; null if Graph sends no time. */
  aheadOfGraphMs(connection: string): Promise<number | null>;
  close(): Promise<void>;
}

/** Where the consents of people are, who connected their own mailbox. */
export interface Consents {
  keptTokenOf(connection: string): KeptRefreshToken;
  noteRefusal(connection: string, fault: Fault): Promise<void>;
}

interface Connection {
  readonly settings: ConnectionSettings;
  readonly http: Http;
  readonly token: TokenSource;
  readonly graph: GraphClient;
}

/** Tokens name Graph by its real address, even those of a local tenant. */
const GRAPH_RESOURCE = "https://graph.microsoft.com";

export function createConnections(
  settings: Readonly<Record<string, ConnectionSettings>>,
  needs: { clock: Clock; random: Random; database: Queryable; http?: Http; consents?: Consents },
): Connections {
  const closers: (() => Promise<void>)[] = [];
  const connections = new Map(
    Object.entries(settings).map(
      ([name, connectionSettings]) => [name, open(name, connectionSettings)] as const,
    ),
  );

  function open(name: string, connectionSettings: ConnectionSettings): Connection {
    const http = needs.http ?? openHttp(connectionSettings.graphOrigin);
    const token = tokensOf(name, connectionSettings);
    const { clock, random } = needs;
    const limiter = createMailboxLimiter(clock);
    const graph = createGraphClient({
      http,
      token,
      limiter,
      clock,
      random,
      origin: connectionSettings.graphOrigin,
    });
    return { settings: connectionSettings, http, token, graph };
  }

  function tokensOf(name: string, connectionSettings: ConnectionSettings): TokenSource {
    const { clock, database, random, consents } = needs;
    if (isPersonal(name) && consents !== undefined)
      return createUserTokens(connectionSettings, GRAPH_RESOURCE, {
        clock,
        kept: consents.keptTokenOf(name),
        onRefused: (fault) => consents.noteRefusal(name, fault),
      });
    const { refreshToken, clientSecret } = connectionSettings;
    if (refreshToken === undefined) return createAppTokens(connectionSettings, GRAPH_RESOURCE);
    const kept = keepRefreshTokens(database, random, {
      connection: name,
      clientSecret,
      refreshToken,
    });
    return createUserTokens(connectionSettings, GRAPH_RESOURCE, { clock, kept });
  }

  /** Opened when it is first used, with the app of the connection that it is based on. */
  function openPersonal(name: string): Connection | undefined {
    const baseSettings = settings[baseOf(name) ?? ""];
    if (baseSettings === undefined || needs.consents === undefined) return undefined;
    const opened = open(name, baseSettings);
    connections.set(name, opened);
    return opened;
  }

  function openHttp(origin: string): Http {
    const http = createHttp({ allowedOrigins: [origin], unavailable: "graph.unavailable" });
    closers.push(http.close);
    return http;
  }

  const get = (name: string): Connection => {
    const connection = connections.get(name) ?? openPersonal(name);
    if (connection === undefined) {
      const remedy =
        name === "default"
          ? "set GRAPH_TENANT_ID, GRAPH_CLIENT_ID and GRAPH_CLIENT_SECRET"
          : `set Connections__${name}__TenantId, __ClientId and __ClientSecret`;
      throw new Fault("settings.bad", `no tenant is set up under the name "${name}"; ${remedy}`);
    }
    return connection;
  };

  return {
    names: Object.keys(settings),
    graph: (connection) => get(connection).graph,
    tenantOf: (connection) => settings[baseOf(connection) ?? connection]?.tenantId ?? null,
    getAccessTokenForMailbox: (mailbox, options) => get(mailbox.connection).token(options),
    async personOf(name) {
      const { settings: given, token } = get(name);
      const isApp = given.refreshToken === undefined && !isPersonal(name);
      return isApp ? null : (claimsOf(await token())["oid"] as string);
    },
    async aheadOfGraphMs(name) {
      const { settings: given, http } = get(name);
      const answer = await http({ method: "GET", url: `${given.graphOrigin}/v1.0/` });
      const atMs = Date.parse(answer.headers["date"] ?? "");
      return Number.isNaN(atMs) ? null : needs.clock.now() - atMs;
    },
    close: async () => void (await Promise.all(closers.map((close) => close()))),
  };
}
