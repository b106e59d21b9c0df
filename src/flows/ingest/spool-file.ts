import type { FileStore } from "../../files/file-store.ts";

/** A PDF whose bytes are safe in the spool. */
export interface SpooledFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly foundIn: string;
}

/** After this, neither a restart nor a deleted mail loses the bytes. */
export async function spoolFile(
  files: FileStore,
  file: { name: string; bytes: Uint8Array; foundIn: string },
): Promise<SpooledFile> {
  const stored = await files.put(file.bytes);
  return { name: file.name, size: stored.size, sha256: stored.id, foundIn: file.foundIn };
}
