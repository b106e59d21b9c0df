/**
 * `/drives/{d}/root:/a/b.pdf:/content` and similar paths. The colon marks where a path of names begins and
 * ends; every name is encoded separately, so names are split before they are decoded.
 */
interface ItemAddress {
  /** Null means the drive's root. */
  readonly fromId: string | null;
  /** Names to follow from there; empty addresses the item itself. */
  readonly names: readonly string[];
  /** The action on the item: `content`, `children`, `versions/1.0/content`; "" is the item itself. */
  readonly action: string;
}

/** `tail` is what follows `/drives/{id}/`, still encoded. Returns null if it addresses no item. */
export function parseItemAddress(tail: string): ItemAddress | null {
  const start = /^(root|items\/([^/:]+))(?=[/:]|$)/i.exec(tail);
  if (start === null) return null;
  const fromId = start[2] === undefined ? null : decodeSafely(start[2]);
  const rest = tail.slice(start[0].length);
  if (!rest.startsWith(":")) return { fromId: rootless(fromId), names: [], action: trim(rest) };
  const end = rest.indexOf(":", 1);
  const path = end < 0 ? rest.slice(1) : rest.slice(1, end);
  const names = path.split("/").filter(Boolean).map(decodeSafely);
  return { fromId: rootless(fromId), names, action: end < 0 ? "" : trim(rest.slice(end + 1)) };
}

/** `items/root` means the same as `root`. */
function rootless(id: string | null): string | null {
  return id?.toLowerCase() === "root" ? null : id;
}

function trim(text: string): string {
  return text.replace(/^\/+|\/+$/g, "");
}

export function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // an unescaped percent sign is part of the name
  }
}
