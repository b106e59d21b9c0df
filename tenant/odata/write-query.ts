/** A query as Microsoft writes it in links: `$`, commas, colons, quotes and parentheses stay readable. */
export function writeQuery(query: Iterable<readonly [string, string]>): string {
  return [...query].map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/%(24|2C|2F|3A|3B|3D|40)/g, decodeURIComponent);
}
