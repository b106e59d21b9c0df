import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Tenant } from "../create-tenant.ts";
import { decodeSnapshot, type Shelf } from "../snapshot.ts";

const PAUSE_MS = 5_000;
/**
 * Pause after a save, as a multiple of its duration: however large the state is, saving takes at most a
 * twentieth of the time.
 */
const PAUSE_PER_SAVE = 20;

/** Loads the state if there is one, then saves it every few seconds if something has happened. */
export function keepState(tenant: Tenant, path: string): () => void {
  const shelf = openShelf(`${path}.files`);
  if (existsSync(path)) tenant.restore(decodeSnapshot(readFileSync(path, "utf8"), shelf));
  shelf.forgetOthers();
  let savedAt = -1;
  const save = () => {
    const sequence = tenant.journal.entries().length;
    if (sequence === savedAt) return;
    mkdirSync(dirname(path), { recursive: true });
    writeWhole(path, tenant.save(shelf));
    savedAt = sequence;
  };
  let timer: NodeJS.Timeout;
  const saveLater = (pauseMs: number) => {
    timer = setTimeout(() => {
      const beganMs = performance.now();
      save();
      saveLater(Math.max(PAUSE_MS, PAUSE_PER_SAVE * (performance.now() - beganMs)));
    }, pauseMs);
  };
  saveLater(PAUSE_MS);
  return () => {
    clearTimeout(timer);
    save();
  };
}

/** Stores contents under their hash, each written once. */
function openShelf(folder: string): Shelf & { forgetOthers(): void } {
  const nameOf = new WeakMap<Uint8Array, string>();
  const used = new Set<string>();
  return {
    put(bytes) {
      const known = nameOf.get(bytes);
      if (known !== undefined) return known;
      const name = createHash("sha256").update(bytes).digest("hex");
      mkdirSync(folder, { recursive: true });
      if (!existsSync(join(folder, name))) writeWhole(join(folder, name), bytes);
      nameOf.set(bytes, name);
      used.add(name);
      return name;
    },
    get(name) {
      if (!/^[0-9a-f]{64}$/.test(name)) throw new Error(`${name} is not a valid content name`);
      const bytes = readFileSync(join(folder, name));
      nameOf.set(bytes, name);
      used.add(name);
      return bytes;
    },
    /** Removes contents that the loaded state does not refer to. */
    forgetOthers() {
      if (!existsSync(folder)) return;
      for (const name of readdirSync(folder)) if (!used.has(name)) rmSync(join(folder, name));
    },
  };
}

/** Writes under a temporary name first: a crash in the middle must not destroy the previous state. */
function writeWhole(path: string, data: string | Uint8Array): void {
  writeFileSync(`${path}.new`, data);
  renameSync(`${path}.new`, path);
}
