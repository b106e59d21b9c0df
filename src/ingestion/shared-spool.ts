import type { FileStore } from "../files/file-store.ts";
import type { Database } from "../store/database.ts";
import { getSpoolFile, putSpoolFile, removeSpoolFile, sizeOfSpoolFile } from "./spool-table.ts";

/**
 * A spool that workers on several machines share: files on this machine's disk are also stored in the
 * database, because the machine that continues after a crash may have another disk.
 */
export function shareSpool(database: Database, disk: FileStore): FileStore {
  return {
    ...disk,
    async put(bytes) {
      const stored = await disk.put(bytes);
      await putSpoolFile(database, stored.id, Buffer.from(bytes));
      return stored;
    },
    get: async (id) => (await disk.get(id)) ?? (await getSpoolFile(database, id)),
    has: async (id) => (await disk.has(id)) || (await sizeOfSpoolFile(database, id)) !== null,
    async stat(id) {
      const found = await disk.stat(id);
      if (found !== null) return found;
      const size = await sizeOfSpoolFile(database, id);
      return size === null ? null : { size };
    },
    async removeUnused(id, since) {
      if (!(await disk.removeUnused(id, since))) return false;
      await removeSpoolFile(database, id, since);
      return true;
    },
  };
}
