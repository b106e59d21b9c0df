/** The tenants and apps that mailboxes are read with, by name; each has its own tokens and limits. */
import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/fault.ts";
import { createHttp, type Http } from "../lib/http.ts";
import type { Random } from "../lib/random.ts";
import type { Secret } from "../lib/redact.ts";
import { createGraphClient, type GraphClient } from "../microsoft/graph/graph-client.ts";
import { createMailboxLimiter } from "../microsoft/graph/mailbox-limiter.ts";
import { createAppTokens } from "../microsoft/identity/app-token.ts";

export interface ConnectionSettings {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly graphOrigin: string;
  readonly authorityOrigin: string;
}

export interface Connections {
  /** Throws when no such connection is set up. */
  graph(connection: string): GraphClient;
  tenantOf(connection: string): string | null;
  close(): Promise<void>;
}

/** Tokens name Graph by its genuine address, also those of a local tenant. */
const GRAPH_RESOURCE = "https://graph.microsoft.com";

export function createConnections(
  settings: Readonly<Record<string, ConnectionSettings>>,
  needs: { clock: Clock; random: Random; http?: Http },
): Connections {
  const closers: (() => Promise<void>)[] = [];
  const clients = new Map(
    Object.entries(settings).map(([name, connection]) => {
      const own = needs.http ?? openHttp(connection.graphOrigin);
      const client = createGraphClient({
        http: own,
        origin: connection.graphOrigin,
        token: createAppTokens(connection, GRAPH_RESOURCE),
        limiter: createMailboxLimiter(needs.clock),
        clock: needs.clock,
        random: needs.random,
      });
      return [name, client] as const;
    }),
  );

  function openHttp(origin: string): Http {
    const http = createHttp({ allowedOrigins: [origin], unavailable: "graph.unavailable" });
    closers.push(http.close);
    return http;
  }

  return {
    graph(connection) {
      const client = clients.get(connection);
      if (client === undefined) {
        throw new Fault(
          "settings.bad",
          `no tenant is set up under the name "${connection}"; set GRAPH_TENANT_ID, GRAPH_CLIENT_ID and GRAPH_CLIENT_SECRET`,
        );
      }
      return client;
    },
    tenantOf: (connection) => settings[connection]?.tenantId ?? null,
    close: async () => void (await Promise.all(closers.map((close) => close()))),
  };
}
