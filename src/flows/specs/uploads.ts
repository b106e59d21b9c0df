/**
 * The interface of uploads. An upload is not a job, because the sender waits for the result; so `src/app/`
 * passes these functions to the routes, and the routes never import the flow itself.
 */
import type { Sender } from "../../filing/actors.ts";
import type { Parent } from "../../filing/container.ts";
import type { Content } from "../../filing/content.ts";
import type { Filing } from "../../filing/filing.ts";
import type { WhenTaken } from "../../filing/reserve-for-upload.ts";
import type { SentChunk } from "../../filing/send-chunk.ts";

export interface Uploads {
  /** Puts a whole file on a drive, with a record if one is wanted. */
  sendFile(sender: Sender, upload: FileUpload): Promise<Filing>;
  /** Where `sendFile` would put the file; refuses what it would refuse, and changes nothing. */
  checkPlace(sender: Sender, wanted: Omit<Upload, "size">, whenTaken: WhenTaken): Promise<Place>;
  /** Writes the record of a file that was sent without one; null if the sender has no such file. */
  addRecord(sender: Sender, id: string, parent: Parent | null): Promise<Filing | null>;
  /** Reserves a place for a file that the sender then sends in chunks. */
  begin(sender: Sender, upload: Upload): Promise<Filing>;
  /** An upload in chunks; null if the sender has no such upload. */
  getBegun(sender: Sender, id: string): Promise<Filing | null>;
  sendChunk(sender: Sender, begun: Filing, first: number, bytes: Buffer): Promise<SentChunk>;
  /** Where the next chunk begins; null if the upload has expired. */
  getNextByte(begun: Filing): Promise<number | null>;
  cancel(begun: Filing): Promise<void>;
}

export interface Place {
  readonly containerId: string;
  readonly path: string;
}

export interface Upload {
  /** If absent: the container of the parent, or the default one. */
  readonly containerId?: string | undefined;
  readonly parent: Parent | null;
  readonly path: string;
  readonly size: number;
}

export interface FileUpload extends Upload {
  readonly content: Content;
  readonly wantsRecord: boolean;
  readonly whenTaken: WhenTaken;
}
