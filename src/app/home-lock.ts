/** Ensures one server per home folder: two would share its database, its address and its keys. */
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../lib/fault.ts";
import { identityOf } from "../lib/process-identity.ts";
import { systemRandom } from "../lib/random.ts";

interface Holder {
  readonly pid: number;
  readonly identity: string | null;
}

/**
 * Locks the home folder for this process, or refuses. A lock that a killed process left behind does not
 * count.
 */
export async function lockHome(home: string): Promise<() => Promise<void>> {
  const file = join(home, "lock.json");
  const draft = `${file}.${systemRandom.uuid()}`;
  const own: Holder = { pid: process.pid, identity: identityOf(process.pid) };
  await writeFile(draft, JSON.stringify(own), { flag: "wx" });
  try {
    while (!(await linkNew(draft, file))) await removeStale(home, file);
  } finally {
    await rm(draft, { force: true });
  }
  return () => rm(file, { force: true });
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

async function removeStale(home: string, file: string): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return; // its holder has just exited
  const { pid, identity } = JSON.parse(text) as Holder;
  // The process id alone proves nothing, because another process may have it by now.
  if (identity !== null && identityOf(pid) === identity)
    throw new Fault(
      "settings.bad",
      `Postroom is already running in ${home} (process ${pid}); stop it, or set POSTROOM_HOME to another folder`,
    );
  const aside = `${file}.${systemRandom.uuid()}`;
  await rename(file, aside).catch((error) => {
    if (error.code !== "ENOENT") throw error;
  });
  // Another process may have removed the stale lock and taken the home between the two lines above.
  const moved = await readFile(aside, "utf8").catch(() => text);
  if (moved !== text) await linkNew(aside, file);
  await rm(aside, { force: true });
}
