import type { Actor } from "../../filing/actors.ts";
import { getRecord } from "../../filing/record.ts";
import { Fault } from "../../lib/fault.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { FILE_BYTES_MAX } from "../../reading/admit-file.ts";
import type { TextReader } from "../../reading/read-text.ts";
import { fullText } from "../../search/cut-chunks.ts";

export interface SourceText {
  readonly documentId: string;
  readonly driveId: string;
  readonly itemId: string;
  readonly name: string;
  readonly text: string;
  readonly sha256: string;
  readonly isCut: boolean;
}

/** Longer texts are cut, and the analysis says so. */
const TEXT_MAX = 100_000;

/** Reads with the actor's own rights; a document that cannot be read is a fault with a reason. */
export async function readSource(
  texts: TextReader,
  actor: Actor,
  documentId: string,
  signal?: AbortSignal,
): Promise<SourceText> {
  const row = await getRecord(actor.dataverse, documentId);
  if (row === null) throw new Fault("dataverse.not-found", "the document no longer exists");
  const { sprk_graphdriveid: driveId, sprk_graphitemid: itemId } = row;
  if (driveId === null || itemId === null)
    throw new Fault("graph.not-found", "the document has no file");
  const bytes = await actor.readFile(driveId, itemId, FILE_BYTES_MAX);
  if (bytes === null) {
    const item = await actor.drives.getItem(driveId, itemId);
    throw item === null
      ? new Fault("graph.not-found", "the file is missing")
      : new Fault("pdf.damaged", "the file has no text: it is too large");
  }
  const name = row.sprk_filename ?? "";
  const result = await texts.read(name, bytes, signal);
  if (!result.ok) throw new Fault("pdf.damaged", `the file has no text: ${result.reason}`);
  const text = fullText(result.text);
  return {
    documentId,
    driveId,
    itemId,
    name,
    sha256: sha256Hex(bytes),
    text: text.slice(0, TEXT_MAX),
    isCut: text.length > TEXT_MAX,
  };
}
