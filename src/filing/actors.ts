/** Who calls Graph and Dataverse: the person who called us, or the app itself. Each has its own clients. */
import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/fault.ts";
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
import { type AppIdentity, claimsOf, createAppTokens } from "../microsoft/identity/app-token.ts";
import { createOnBehalfOf, type SignedInUser } from "../microsoft/identity/on-behalf-of.ts";
import type { TokenSource } from "../microsoft/transport/transport.ts";
import { mayUploadTo } from "./may-upload-to.ts";

export interface Actor {
  /** Object id; null means the app. */
  readonly id: string | null;
  readonly drives: DriveClient;
  readonly dataverse: DataverseClient;
  /** The content of a file; null if there is no such file or it is larger than wanted. */
  readFile(driveId: string, itemId: string, bytesMax: number): Promise<Buffer | null>;
}

export interface Actors {
  readonly app: Actor;
  readonly sessions: UploadSessions;
  as(user: SignedInUser): Actor;
  /**
   * The app on behalf of this person: Dataverse allows only what both may do. Drives are still used as the
   * app.
   */
  actingFor(userId: string): Actor;
  /** The app's permissions at Graph. */
  appRoles(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Who sent a request: a person with their token, or the operator's key, which belongs to no person. */
export interface Sender {
  readonly id: string;
  readonly token?: string;
}

/** A person acts with their own rights; for the operator the app acts. */
export function actorFor(actors: Actors, { id, token }: Sender): Actor {
  return token === undefined ? actors.app : actors.as({ id, token });
}

export interface ActorSettings extends AppIdentity {
  readonly graphOrigin: string;
  readonly dataverseOrigin: string;
  /** Suffixes of the host names that Graph may use for upload sessions. */
  readonly uploadHosts: readonly string[];
}

/** Tokens are issued for Graph's public address, even by a local tenant. */
const GRAPH_RESOURCE = "https://graph.microsoft.com";
/** Enough for ten megabytes over a slow connection. */
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
  /** The link is the permission, so it is fetched without a token, and only from hosts that hold files. */
  const readFileWith =
    (drives: DriveClient): Actor["readFile"] =>
    async (driveId, itemId, bytesMax) => {
      const item = await drives.getItem(driveId, itemId);
      const url = item?.["@microsoft.graph.downloadUrl"];
      if (item === null || url === undefined || item.size > bytesMax) return null;
      const answer = await uploadHttp({ method: "GET", url });
      if (answer.status === 200) return answer.body;
      throw new Fault("graph.unavailable", `a file was not delivered: status ${answer.status}`);
    };
  const actorWith = (
    id: string | null,
    drives: DriveClient,
    dataverse: DataverseClient,
  ): Actor => ({
    id,
    drives,
    dataverse,
    readFile: readFileWith(drives),
  });
  const dataverseWith = (token: TokenSource, actsFor?: string): DataverseClient =>
    createDataverseClient({
      http: dataverseHttp as Http,
      origin: dataverseOrigin,
      token,
      clock,
      random,
      ...(actsFor === undefined ? {} : { actsFor }),
    });
  const app = actorWith(null, drivesWith(appGraph), dataverseWith(appDataverse));

  return {
    app,
    sessions: createUploadSessions({ http: uploadHttp, clock, random }),
    as: (user) =>
      actorWith(
        user.id,
        drivesWith(onBehalfOf.tokensFor(user, GRAPH_RESOURCE)),
        dataverseWith(onBehalfOf.tokensFor(user, dataverseOrigin)),
      ),
    actingFor: (userId) => actorWith(userId, app.drives, dataverseWith(appDataverse, userId)),
    async appRoles() {
      const { roles } = claimsOf(await appGraph());
      return Array.isArray(roles) ? (roles as string[]) : [];
    },
    async close() {
      await Promise.all([graphHttp.close(), dataverseHttp.close(), uploadHttp.close()]);
    },
  };
}
