import { burn, type Entry } from "@kenjiuno/msgreader/lib/Burner.js";

export interface MsgFacts {
  readonly subject: string;
  readonly senderName: string;
  readonly senderAddress: string;
  readonly body: string;
}

/** Types of entries in a compound file. */
const [DIRECTORY, DOCUMENT, ROOT] = [1, 2, 5];

/** An Outlook message: a compound file with a stream for each property. */
export function makeMsg({ subject, senderName, senderAddress, body }: MsgFacts): Buffer {
  const text = (tag: string, value: string) =>
    stream(`__substg1.0_${tag}001F`, Buffer.from(value, "utf16le"));
  const streams = [
    stream("__properties_version1.0", Buffer.alloc(32)),
    text("001A", "IPM.Note"),
    text("0037", subject),
    text("0C1A", senderName),
    text("5D01", senderAddress),
    text("1000", body),
  ];
  // The format wants an entry for named properties even if there are none.
  const names: Entry = { name: "__nameid_version1.0", type: DIRECTORY!, length: 0, children: [] };
  const children = [...streams.keys(), streams.length].map((index) => index + 1);
  const root: Entry = { name: "Root Entry", type: ROOT!, length: 0, children };
  return Buffer.from(burn([root, ...streams, names]));
}

function stream(name: string, bytes: Buffer): Entry {
  return {
    name,
    type: DOCUMENT!,
    length: bytes.length,
    binaryProvider: () => Uint8Array.from(bytes),
  };
}
