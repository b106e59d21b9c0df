/**
 * S3 and Azure carry metadata in HTTP headers, which hold printable ASCII only. Anything else travels as
 * an encoded word of RFC 2047, the form that S3 itself answers with. Every text comes back as it went in.
 */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const ENCODED = /^=\?UTF-8\?B\?([A-Za-z0-9+/]*={0,2})\?=$/i;

export function toHeaderText(text: string): string {
  if (PLAIN.test(text) && !text.startsWith("=?")) return text;
  return `=?UTF-8?B?${Buffer.from(text, "utf8").toString("base64")}?=`;
}

export function fromHeaderText(text: string): string {
  const base64 = ENCODED.exec(text)?.[1];
  return base64 === undefined ? text : Buffer.from(base64, "base64").toString("utf8");
}
