/**
 * S3 and Azure carry metadata in HTTP headers, which allow only printable ASCII. Anything else is sent as an
 * encoded word of RFC 2047, the format in which S3 itself responds. Every text is returned unchanged.
 */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const ENCODED = /^=\?UTF-8\?B\?([A-Za-z0-9+/]*={0,2})\?=$/i;

function toHeaderText(text: string): string {
  if (PLAIN.test(text) && !text.startsWith("=?")) return text;
  return `=?UTF-8?B?${Buffer.from(text, "utf8").toString("base64")}?=`;
}

function fromHeaderText(text: string): string {
  const base64 = ENCODED.exec(text)?.[1];
  return base64 === undefined ? text : Buffer.from(base64, "base64").toString("utf8");
}

/** Names are changed if a service allows fewer characters. */
export function toHeaders(
  texts: Readonly<Record<string, string>>,
  toName: (name: string) => string = (name) => name,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [toName(name), toHeaderText(text)]),
  );
}

export function fromHeaders(
  headers: Readonly<Record<string, string>>,
  fromName: (name: string) => string = (name) => name,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [fromName(name), fromHeaderText(text)]),
  );
}
