import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { ArchiveRequest } from "./archive-pdf.ts";
import { chooseUniqueId, readHivePath } from "./hive-path.ts";

/** What we know about a document besides its bytes. */
export type ArchiveOrigin = Pick<
  ArchiveRequest,
  "senderEmail" | "receivedDate" | "uniqueId" | "source" | "tradeKey"
>;

const UNKNOWN_SENDER = "unknown";

export function originOfMessage(
  needs: { readonly random: Random },
  message: {
    readonly id: string;
    /** Graph leaves the sender out of some system messages. */
    readonly from?: string | null;
    /** As Graph writes it, in UTC. */
    readonly receivedDateTime: string;
    readonly tradeKey?: string;
  },
): ArchiveOrigin {
  const { tradeKey } = message;
  return {
    senderEmail: message.from || UNKNOWN_SENDER,
    receivedDate: new Date(message.receivedDateTime),
    uniqueId: chooseUniqueId({ tradeKey, messageId: message.id, random: needs.random }),
    source: "graph_webhook",
    ...(tradeKey ? { tradeKey } : {}),
  };
}

export function originOfUpload(
  needs: { readonly clock: Clock; readonly random: Random },
  upload: { readonly userEmail: string; readonly tradeKey?: string },
): ArchiveOrigin {
  const { tradeKey } = upload;
  return {
    senderEmail: upload.userEmail,
    receivedDate: new Date(needs.clock.now()),
    uniqueId: chooseUniqueId({ tradeKey, random: needs.random }),
    source: "manual_upload",
    ...(tradeKey ? { tradeKey } : {}),
  };
}

/**
 * A document found in a watched folder. Sender and date come from the folder's partitions, otherwise from
 * metadata; null if neither provides both.
 */
export function originOfPolled(object: {
  readonly path: string;
  /** Google's generation number, or the version in another watched store. */
  readonly generation: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly tradeKey?: string;
}): ArchiveOrigin | null {
  const partition = readHivePath(object.path);
  const senderEmail = partition?.senderEmail ?? object.metadata?.["sender-email"];
  const receivedDate = partition?.receivedDate ?? dateIn(object.metadata?.["received-date"]);
  if (!senderEmail || receivedDate === null) return null;
  return {
    senderEmail,
    receivedDate,
    uniqueId: object.generation,
    source: "poller",
    ...(object.tradeKey ? { tradeKey: object.tradeKey } : {}),
  };
}

function dateIn(text: string | undefined): Date | null {
  const date = new Date(text ?? "");
  return Number.isNaN(date.getTime()) ? null : date;
}
