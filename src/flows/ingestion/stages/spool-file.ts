import type { FileStore } from "../../../files/file-store.ts";
import { Fault } from "../../../lib/fault.ts";
import type { Ingestion, IngestNeeds } from "./needs.ts";

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

/**
 * The bytes of a spooled file, fetched again if no spool has them. A missing file is retried, because it may
 * come back.
 */
export async function loadSpooled(
  { files }: Pick<IngestNeeds, "files">,
  ingestion: Pick<Ingestion, "fetchAgain">,
  sha256: string,
): Promise<Buffer> {
  const spooled = await files.get(sha256);
  if (spooled !== null) return spooled;
  await ingestion.fetchAgain?.();
  const fetched = await files.get(sha256);
  if (fetched !== null) return fetched;
  throw new Fault("spool.missing", "no spool that this machine reaches has the file", {
    facts: { file: sha256 },
  });
}
