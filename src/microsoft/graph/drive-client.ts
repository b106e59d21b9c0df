/**
 * Files in containers of SharePoint Embedded, which are drives. Path segments are encoded one by one, and an
 * existing file is replaced only if the caller asks for it.
 */
import { Fault } from "../../lib/fault.ts";
import type { GraphClient } from "./graph-client.ts";
import { GraphApiError } from "./graph-fault.ts";

export type ConflictBehavior = "fail" | "replace";

export interface DriveItem {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly webUrl: string;
  /** A secret: anybody who has it can read the file for an hour. */
  readonly "@microsoft.graph.downloadUrl"?: string;
  readonly createdDateTime: string;
  readonly createdBy?: { readonly user?: { readonly id?: string } };
  readonly file?: {
    readonly mimeType?: string;
    readonly hashes?: { readonly quickXorHash?: string };
  };
}

/** Who did something, or who is allowed to: one of these is set. */
export interface Identities {
  readonly user?: Identity;
  readonly group?: Identity;
  readonly siteUser?: Identity;
  readonly siteGroup?: Identity;
  readonly application?: Identity;
}

interface Identity {
  readonly displayName?: string | null;
  readonly email?: string | null;
}

export interface DriveVersion {
  readonly id: string;
  readonly lastModifiedDateTime: string;
  readonly lastModifiedBy?: Identities;
  readonly size?: number;
}

export interface DrivePermission {
  readonly roles?: readonly string[];
  readonly grantedToV2?: Identities;
  readonly grantedToIdentitiesV2?: readonly Identities[];
  readonly link?: { readonly scope?: string };
  readonly inheritedFrom?: unknown;
  readonly expirationDateTime?: string | null;
}

export interface NewUploadSession {
  /** A secret: anybody who has it can write the file. */
  readonly uploadUrl: string;
  readonly expirationDateTime: string;
}

export interface DriveClient {
  /** Null if there is no such file. */
  getItem(driveId: string, itemId: string): Promise<DriveItem | null>;
  getItemAt(driveId: string, path: string): Promise<DriveItem | null>;
  /** For files below 4 MB. Throws `drive.conflict` if the name is taken. */
  putSmall(
    driveId: string,
    path: string,
    bytes: Uint8Array,
    conflict: ConflictBehavior,
  ): Promise<DriveItem>;
  createUploadSession(
    driveId: string,
    path: string,
    conflict: ConflictBehavior,
  ): Promise<NewUploadSession>;
  /** Newest first. */
  findVersions(driveId: string, itemId: string): Promise<DriveVersion[]>;
  /** Those of the file and those that it inherits; a caller who does not own the drive sees only their own. */
  findPermissions(driveId: string, itemId: string): Promise<DrivePermission[]>;
  /** A link that shows the file with the caller's rights; null if Graph offers none. */
  preview(driveId: string, itemId: string): Promise<string | null>;
  /** Removing a missing file is not an error. */
  remove(driveId: string, itemId: string): Promise<void>;
  /** Throws `graph.denied` or `graph.not-found` if the container cannot be reached. */
  probe(driveId: string): Promise<void>;
}

interface Page<T> {
  readonly value: readonly T[];
  readonly "@odata.nextLink"?: string;
}

const BEHAVIOR = "@microsoft.graph.conflictBehavior";

export function createDriveClient(graph: GraphClient): DriveClient {
  const orNull = async <T>(work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) => {
      if (error instanceof GraphApiError && error.status === 404) return null;
      throw error;
    });
  const drive = (driveId: string) => `/drives/${encodeURIComponent(driveId)}`;
  const item = (driveId: string, itemId: string) =>
    `${drive(driveId)}/items/${encodeURIComponent(itemId)}`;
  const at = (driveId: string, path: string) =>
    `${drive(driveId)}/root:/${path.split("/").map(encodeURIComponent).join("/")}:`;

  const findAll = async <T>(path: string): Promise<T[]> => {
    const found: T[] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const page: Page<T> = await graph.call<Page<T>>({ path: next });
      found.push(...page.value);
      next = page["@odata.nextLink"];
    }
    return found;
  };

  return {
    findVersions: (driveId, itemId) => findAll(`${item(driveId, itemId)}/versions`),
    findPermissions: (driveId, itemId) => findAll(`${item(driveId, itemId)}/permissions`),
    getItem: (driveId, itemId) => orNull(graph.call<DriveItem>({ path: item(driveId, itemId) })),
    getItemAt: (driveId, path) => orNull(graph.call<DriveItem>({ path: at(driveId, path) })),
    putSmall: (driveId, path, bytes, conflict) =>
      graph
        .call<DriveItem>({
          method: "PUT",
          path: `${at(driveId, path)}/content?${BEHAVIOR}=${conflict}`,
          headers: { "content-type": "application/octet-stream" },
          content: bytes,
        })
        .catch(rethrow),
    createUploadSession: (driveId, path, conflict) =>
      graph
        .call<NewUploadSession>({
          method: "POST",
          path: `${at(driveId, path)}/createUploadSession`,
          body: { item: { [BEHAVIOR]: conflict } },
          isSafeTwice: true, // an unused session expires and leaves no file
        })
        .catch(rethrow),
    async preview(driveId, itemId) {
      const path = `${item(driveId, itemId)}/preview`;
      const answer = await graph.call<{ getUrl?: string | null }>({
        method: "POST",
        path,
        body: {},
        isSafeTwice: true, // it only creates a link
      });
      return answer.getUrl ?? null;
    },
    async remove(driveId, itemId) {
      await orNull(graph.call({ method: "DELETE", path: item(driveId, itemId) }));
    },
    async probe(driveId) {
      await graph.call({ path: `${drive(driveId)}/root?$select=id` });
    },
  };
}

function rethrow(error: unknown): never {
  throw isNameTaken(error) ? nameTaken(error) : error;
}

export function isNameTaken(error: unknown): boolean {
  return error instanceof GraphApiError && (error.status === 409 || error.status === 412);
}

export function nameTaken(cause: unknown): Fault {
  return new Fault("drive.conflict", "a file with that name already exists", { cause });
}
