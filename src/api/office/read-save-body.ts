/**
 * Reads the body of a save. Files travel in it as Base64, up to 100 MB together, so the body is never held as a whole:
 * each `contentBase64` goes to the spool as soon as it has arrived, and the JSON keeps a number in its place.
 */

import type { FileStore } from "../../files/file-store.ts";
import { OfficeRefusal } from "../../filing/office/office-refusal.ts";
import { FILE_BYTES_MAX, isProgram, SAVE_BYTES_MAX } from "../../filing/office/office-save.ts";
import { type Base64Pieces, createBase64Pieces } from "./base64-pieces.ts";

export interface ReceivedFile {
  readonly sha256: string;
  readonly size: number;
  readonly isProgram: boolean;
}

export interface SaveBody {
  /** Each content is replaced by its index in `files`. */
  readonly json: unknown;
  readonly files: readonly ReceivedFile[];
}

const NAME = "contentBase64";
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
/** Everything but the files; a long HTML body fits. */
const JSON_BYTES_MAX = 8 * 1024 * 1024;
const FILES_MAX = 100;
/** Base64 needs four characters for three bytes. */
const toBase64Length = (bytes: number) => Math.ceil(bytes / 3) * 4;
export const BODY_BYTES_MAX = toBase64Length(SAVE_BYTES_MAX) + JSON_BYTES_MAX;

const bad = (detail: string) => new OfficeRefusal("OFFICE_VALIDATION", detail);

export async function readSaveBody(
  body: AsyncIterable<Buffer>,
  spool: Pick<FileStore, "put">,
): Promise<SaveBody> {
  const files: ReceivedFile[] = [];
  const scan = createScan();
  let total = 0;
  for await (const chunk of body) {
    for (const content of scan.next(chunk)) {
      if (files.length === FILES_MAX) throw bad(`a save has at most ${FILES_MAX} files`);
      if (content === null) throw bad(`${NAME} is not Base64`);
      if (content.length === 0) throw bad(`${NAME} is empty`);
      total += content.length;
      if (total > SAVE_BYTES_MAX)
        throw new OfficeRefusal("OFFICE_005", "all files together are larger than 100 MB");
      const { id: sha256, size } = await spool.put(content);
      files.push({ sha256, size, isProgram: isProgram(content) });
    }
  }
  return { json: parse(scan.end()), files };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw bad("the body is not JSON");
  }
}

/** Separates the contents from the rest of the JSON, however the body is cut into chunks. */
function createScan() {
  const text: Buffer[] = [];
  let textBytes = 0;
  let content: Base64Pieces | null = null;
  let contents = 0;
  let isInString = false as boolean;
  let isEscaped = false;
  /** The last string, if it may still be `NAME`; null after anything but white space and a colon. */
  let last: string | null = "";
  let isAfterColon = false;

  const keepText = (piece: Buffer) => {
    textBytes += piece.length;
    if (textBytes > JSON_BYTES_MAX) throw bad("the body is too large without its files");
    if (piece.length > 0) text.push(Buffer.from(piece));
  };
  const keepContent = (pieces: Base64Pieces, piece: Buffer) => {
    if (pieces.push(piece) > FILE_BYTES_MAX)
      throw new OfficeRefusal("OFFICE_004", "a file is larger than 25 MB");
  };
  /** Outside strings only white space may stand between a name, its colon and its value. */
  const seeOutside = (byte: number) => {
    if (byte === QUOTE) isInString = true;
    else if (byte === COLON) isAfterColon = true;
    else if (byte > 0x20) {
      last = null;
      isAfterColon = false;
    }
  };

  return {
    *next(chunk: Buffer): Generator<Buffer | null> {
      let from = 0;
      for (let at = 0; at < chunk.length; at += 1) {
        if (content !== null) {
          const end = chunk.indexOf(QUOTE, at);
          keepContent(content, chunk.subarray(at, end === -1 ? chunk.length : end));
          if (end === -1) return;
          yield content.end();
          keepText(Buffer.from(`"${contents}`));
          contents += 1;
          [content, last, isAfterColon] = [null, null, false];
          [from, at] = [end, end];
          continue;
        }
        const byte = chunk[at]!;
        if (!isInString) {
          seeOutside(byte);
          if (isInString && isAfterColon && last === NAME) {
            keepText(chunk.subarray(from, at));
            [content, isInString] = [createBase64Pieces(FILE_BYTES_MAX), false];
          } else if (isInString) [last, isAfterColon] = ["", false];
        } else if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
        else if (last !== null)
          last = last.length < NAME.length ? last + String.fromCharCode(byte) : null;
      }
      if (content === null) keepText(chunk.subarray(from));
    },
    end: () => Buffer.concat(text, textBytes).toString("utf8"),
  };
}
