/** An archive store: everything of one firm, in a store that several firms share. */
import { assertPath, type BlobStore } from "../../src/files/blob-store.ts";

export function prefixedStore(inner: BlobStore, prefix: string): BlobStore {
  const toInner = (path: string): string => {
    assertPath(path); // before the prefix would make a bad path look like a good one
    return `${prefix}${path}`;
  };
  const toOuter = (path: string): string => path.slice(prefix.length);
  return {
    kind: inner.kind,
    put: async (blob) => inner.put({ ...blob, path: toInner(blob.path) }),
    get: async (path) => inner.get(toInner(path)),
    head: async (path) => {
      const head = await inner.head(toInner(path));
      return head === null ? null : { ...head, path };
    },
    async *list(given) {
      for await (const path of inner.list(`${prefix}${given}`)) yield toOuter(path);
    },
    remove: async (path) => inner.remove(toInner(path)),
    probe: () => inner.probe(),
    close: () => inner.close(),
  };
}
