/** Who acts outside: a person who called us, or the app itself. Each has clients of its own. */
import type { Clock } from "../lib/clock.ts";
import { createHttp, type Http } from "../lib/http.ts";
import type { Random } from "../lib/random.ts";
import {
  createDataverseClient,
  type DataverseClient,
} from "../microsoft/dataverse/dataverse-client.ts";
import { createDriveClient, type DriveClient } from "../microsoft/graph/drive-client.ts";
import { createGraphClient } from "../microsoft/graph/graph-client.ts";
import { createMailboxLimiter } from "../microsoft/graph/mailbox-limiter.ts";
import { createUploadSessions, type UploadSessions } from "../microsoft/graph/upload-session.ts";
import {
  type AppIdentity,
  claimsOf,
  createAppTokens,
  type TokenSource,
} from "../microsoft/identity/app-token.ts";
import { createOnBehalfOf, type SignedInUser } from "../microsoft/identity/on-behalf-of.ts";

export interface Actor {
  /** Object id; null is the app. */
  readonly id: string | null;
  readonly drives: DriveClient;
  readonly dataverse: DataverseClient;
}

export interface Actors {
  readonly app: Actor;
  readonly sessions: UploadSessions;
  as(user: SignedInUser): Actor;
  /** The app in this person's name: Dataverse grants what both may. Drives stay the app's. */
  inNameOf(userId: string): Actor;
  /** What Entra has granted the app at Graph. */
  appRoles(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface ActorSettings extends AppIdentity {
  readonly graphOrigin: string;
  readonly dataverseOrigin: string;
  /** Endings of the hosts on which Graph may put upload sessions. */
  readonly uploadHosts: readonly string[];
}

/** Tokens name Graph by its genuine address, also those of a local tenant. */
const GRAPH_RESOURCE = "https://graph.microsoft.com";
/** Ten megabytes over a slow line. */
const CHUNK_TIMEOUT_MS = 120_000;

export function createActors(
  settings: ActorSettings,
  needs: { clock: Clock; random: Random },
): Actors {
  const { clock, random } = needs;
  const { graphOrigin, dataverseOrigin } = settings;
  const graphHttp = createHttp({
    allowedOrigins: [graphOrigin],
    unavailable: "graph.unavailable",
  });
  const dataverseHttp = createHttp({
    allowedOrigins: [dataverseOrigin],
    unavailable: "dataverse.unavailable",
  });
  const uploadHttp = createHttp({
    allowedOrigins: [],
    allows: (url) => mayUploadTo(url, settings),
    unavailable: "graph.unavailable",
    timeoutMs: CHUNK_TIMEOUT_MS,
  });
  const limiter = createMailboxLimiter(clock);
  const onBehalfOf = createOnBehalfOf(settings, clock);
  const appGraph = createAppTokens(settings, GRAPH_RESOURCE);
  const appDataverse = createAppTokens(settings, dataverseOrigin);

  const drivesWith = (token: TokenSource): DriveClient =>
    createDriveClient(
      createGraphClient({ http: graphHttp, origin: graphOrigin, token, limiter, clock, random }),
    );
  const dataverseWith = (token: TokenSource, actsFor?: string): DataverseClient =>
    createDataverseClient({
      ...{ http: dataverseHttp as Http, origin: dataverseOrigin, token, clock, random },
      ...(actsFor === undefined ? {} : { actsFor }),
    });
  const app: Actor = {
    id: null,
    drives: drivesWith(appGraph),
    dataverse: dataverseWith(appDataverse),
  };

  return {
    app,
    sessions: createUploadSessions({ http: uploadHttp, clock, random }),
    as: (user) => ({
      id: user.id,
      drives: drivesWith(onBehalfOf.tokensFor(user, GRAPH_RESOURCE)),
      dataverse: dataverseWith(onBehalfOf.tokensFor(user, dataverseOrigin)),
    }),
    inNameOf: (userId) => ({
      id: userId,
      drives: app.drives,
      dataverse: dataverseWith(appDataverse, userId),
    }),
    async appRoles() {
      const { roles } = claimsOf(await appGraph());
      return Array.isArray(roles) ? (roles as string[]) : [];
    },
    async close() {
      await Promise.all([graphHttp.close(), dataverseHttp.close(), uploadHttp.close()]);
    },
  };
}

/** A session's URL comes out of an answer, so its host is checked like that of any other link. */
export function mayUploadTo(
  url: URL,
  settings: Pick<ActorSettings, "graphOrigin" | "uploadHosts">,
): boolean {
  const graph = new URL(settings.graphOrigin);
  if (isLoopback(graph)) return isLoopback(url) && url.port === graph.port;
  return (
    url.protocol === "https:" &&
    url.port === "" &&
    settings.uploadHosts.some((ending) => url.hostname.endsWith(ending))
  );
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1";
}
