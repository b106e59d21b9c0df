/**
 * Where our own PostgreSQL keeps its cluster. The home folder records the place, the cluster's identity and
 * its password. A cluster that is gone or was replaced is an error that a person must see, because a new,
 * empty one would look like a mailbox that was never watched.
 */
import { constants, existsSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Fault } from "../lib/fault.ts";
import { sha256Hex } from "../lib/hash.ts";
import { systemRandom } from "../lib/random.ts";

/** The user that the server runs as, if that is not us: PostgreSQL refuses to run as root. */
export interface Runner {
  readonly uid?: number;
  readonly gid?: number;
}

export interface Place {
  /** The folder of the cluster, which holds `data`. */
  readonly folder: string;
  readonly password: string;
  /** Null until `initdb` has finished once. */
  readonly systemIdentifier: string | null;
}

/**
 * A folder of root's for files that another user must reach although root's home folder is closed to others.
 */
const SHARED = "/var/lib/postroom";

export const recordFile = (folder: string): string => `${folder}.json`;

/** Null if this folder has no cluster yet. */
export async function getPlace(folder: string): Promise<Place | null> {
  const place = await readRecord(resolve(folder));
  return place?.systemIdentifier == null ? null : place;
}

/** Finds the cluster that belongs to this folder, or reserves a place for a new one. */
export async function findPlace(folder: string, runner: Runner): Promise<Place> {
  await mkdir(dirname(folder), { recursive: true });
  const known = (await readRecord(folder)) ?? (await adoptOlder(folder));
  if (known !== null) {
    await assertStillThere(folder, known);
    if (known.systemIdentifier === null) await ownFolder(known.folder, runner);
    return known;
  }
  const place: Place = {
    folder: await reserve(folder, runner),
    password: systemRandom.bytes(18).toString("base64url"),
    systemIdentifier: null,
  };
  await writeRecord(folder, place);
  return place;
}

/** Records the cluster's identity as soon as there is a cluster. */
export async function recordIdentity(folder: string, place: Place): Promise<void> {
  if (place.systemIdentifier !== null) return;
  const systemIdentifier = await identifierOf(place.folder);
  await writeRecord(folder, { ...place, systemIdentifier });
}

async function assertStillThere(folder: string, place: Place): Promise<void> {
  if (place.systemIdentifier === null) return;
  const found = await identifierOf(place.folder);
  if (found === place.systemIdentifier) return;
  throw new Fault(
    "settings.bad",
    `${found === null ? "the database of this home is gone" : "another database is where this home's own should be"}: ` +
      `${recordFile(folder)} names cluster ${place.systemIdentifier} in ${place.folder}. ` +
      "Restore that folder from a backup; or, to start with an empty database, move the record away",
  );
}

/** The first eight bytes of the control file; null if there is no cluster. */
async function identifierOf(folder: string): Promise<string | null> {
  let file: FileHandle;
  try {
    file = await open(join(folder, "data/global/pg_control"), "r");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code!)) return null;
    throw error;
  }
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0);
    return buffer.readBigUInt64LE().toString();
  } finally {
    await file.close();
  }
}

/**
 * Home folders of earlier versions have no record: the password was in the cluster's folder, which may be a
 * link.
 */
async function adoptOlder(folder: string): Promise<Place | null> {
  const at = await lstat(folder).catch(() => null);
  if (at === null) return null;
  const target = at.isSymbolicLink() ? resolve(dirname(folder), await readlink(folder)) : folder;
  const systemIdentifier = await identifierOf(target);
  if (systemIdentifier === null) {
    if (!at.isSymbolicLink()) return null;
    throw new Fault(
      "settings.bad",
      `the database of this home is gone: ${folder} leads to ${target}. Restore that folder from a backup; ` +
        "or, to start with an empty database, remove the link",
    );
  }
  const passwordFile = join(target, "password");
  const password = (await readPlainFile(passwordFile)).trim();
  const place = { folder: target, password, systemIdentifier };
  await writeRecord(folder, place);
  await rm(passwordFile);
  return place;
}

/**
 * Reserves a new folder for a cluster: the requested one or, if the server's user cannot reach it, one below
 * `SHARED`.
 */
async function reserve(folder: string, runner: Runner): Promise<string> {
  const isHere = runner.uid === undefined || (await isReachable(dirname(folder)));
  const place = isHere ? folder : join(await sharedFolder(), sha256Hex(folder).slice(0, 16));
  if (!isHere && existsSync(place))
    throw new Fault(
      "settings.bad",
      `${place} holds the database of an earlier home at ${dirname(folder)}. ` +
        `Put ${recordFile(folder)} back to use it; or, to start with an empty database, move it away`,
    );
  await ownFolder(place, runner);
  return place;
}

/** Root's folder, which nobody else can write to, so everything in it was put there by us. */
export async function sharedFolder(): Promise<string> {
  await mkdir(SHARED, { mode: 0o711 }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
  const found = await lstat(SHARED);
  if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0)
    throw new Fault("settings.bad", `${SHARED} must be a folder that only root can write to`);
  return SHARED;
}

/**
 * Changes the owner of the folder itself to the server's user, and never of what a link in its place points
 * to.
 */
async function ownFolder(path: string, runner: Runner): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
  const folder = await open(
    path,
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  );
  try {
    if (runner.uid !== undefined) await folder.chown(runner.uid, runner.gid!);
  } finally {
    await folder.close();
  }
}

/** Whether other users may enter every folder on the path. */
export async function isReachable(path: string): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (dirname(at) === at) return true;
  }
}

async function readRecord(folder: string): Promise<Place | null> {
  if (!existsSync(recordFile(folder))) return null;
  return JSON.parse(await readPlainFile(recordFile(folder))) as Place;
}

/** Writes the record atomically: a crash must not leave half of it. */
async function writeRecord(folder: string, place: Place): Promise<void> {
  const draft = `${recordFile(folder)}.${systemRandom.uuid()}`;
  const file = await open(draft, "wx", 0o600);
  await file.writeFile(JSON.stringify(place));
  await file.sync();
  await file.close();
  await rename(draft, recordFile(folder));
}

async function readPlainFile(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
