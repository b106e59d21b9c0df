/** Ensures one server per home folder: two would share its database, its address and its keys. */
import { link, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, every, systemClock } from "../lib/clock.ts";
import { Fault } from "../lib/fault.ts";
import { identityOf, processSpace } from "../lib/process-identity.ts";
import { systemRandom } from "../lib/random.ts";

interface Holder {
  readonly pid: number;
  readonly identity: string | null;
  /** Absent in locks of earlier versions. */
  readonly space?: string;
}

/** The holder touches its lock, because a process in another container cannot look whether it is alive. */
const TOUCH_MS = 2_000;
const LOOK_MS = 1_000;
/** Even a busy holder touches its lock within this time. */
const LOOKS = 20;

export interface LockOptions {
  /**
   * Whether the home holds the database. Then processes in other containers and on other machines count too: two database
   * servers on one folder destroy it. Otherwise a new container may begin while the one that it replaces still runs.
   */
  readonly hasDatabase: boolean;
  readonly clock?: Clock;
}

/**
 * Locks the home folder for this process, or refuses. A lock that a killed process left behind does not
 * count.
 */
export async function lockHome(home: string, options: LockOptions): Promise<() => Promise<void>> {
  const file = join(home, "lock.json");
  const draft = `${file}.${systemRandom.uuid()}`;
  const identity = identityOf(process.pid);
  const own: Holder = { pid: process.pid, identity, space: processSpace() };
  const text = JSON.stringify(own);
  await writeFile(draft, text, { flag: "wx" });
  try {
    while (!(await linkNew(draft, file))) await removeStale(home, file, options);
  } finally {
    await rm(draft, { force: true });
  }
  const touch = () => {
    const now = new Date(systemClock.now());
    return utimes(file, now, now);
  };
  const stopTouching = every(systemClock, TOUCH_MS, touch, () => {});
  return async () => {
    await stopTouching();
    // Another container may have taken over.
    if ((await readFile(file, "utf8").catch(() => null)) === text) await rm(file, { force: true });
  };
}

/** The file is complete as soon as it has its name; a power cut may leave it empty, and its holder is gone then. */
function readHolder(text: string): Holder {
  try {
    const { pid, identity, space } = JSON.parse(text) as Holder;
    return { pid, identity, ...(space === undefined ? {} : { space }) };
  } catch {
    return { pid: 0, identity: null };
  }
}

/** Creates the complete lock file atomically; returns false if there is one. */
async function linkNew(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function removeStale(home: string, file: string, options: LockOptions): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return; // its holder has just exited
  const holder = readHolder(text);
  if (await isAlive(file, holder, options)) {
    const where = isHere(holder) ? "" : " in another container or on another machine";
    throw new Fault(
      "settings.bad",
      `Postroom is already running in ${home} (process ${holder.pid}${where}); stop it, or set POSTROOM_HOME to another folder`,
    );
  }
  const aside = `${file}.${systemRandom.uuid()}`;
  await rename(file, aside).catch((error) => {
    if (error.code !== "ENOENT") throw error;
  });
  // Another process may have removed the stale lock and taken the home between the two lines above.
  const moved = await readFile(aside, "utf8").catch(() => text);
  if (moved !== text) await linkNew(aside, file);
  await rm(aside, { force: true });
}

const isHere = ({ space }: Holder): boolean => space === undefined || space === processSpace();

/** The process id alone proves nothing, because another process may have it by now. */
async function isAlive(
  file: string,
  holder: Holder,
  { hasDatabase, clock = systemClock }: LockOptions,
): Promise<boolean> {
  if (isHere(holder)) return holder.identity !== null && identityOf(holder.pid) === holder.identity;
  if (!hasDatabase) return false;
  const touchedAt = () =>
    stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    );
  const before = await touchedAt();
  for (let look = 0; look < LOOKS; look += 1) {
    await clock.sleep(LOOK_MS);
    const now = await touchedAt();
    if (now === null) return false;
    if (now !== before) return true;
  }
  return false;
}
