import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BlobStore, NewBlob } from "../../src/files/blob-store.ts";
import { sha256Hex } from "../../src/lib/hash.ts";
import type { RudeProxy } from "../servers/rude-proxy.ts";

export interface OpenedStore {
  readonly store: BlobStore;
  /** The proxy between us and the server; a disk has none. */
  readonly proxy?: RudeProxy;
  close(): Promise<void>;
}

/** What every blob store must do. An adapter that passes is an adapter. */
export function testBlobStore(name: string, open: () => Promise<OpenedStore>): void {
  describe(name, () => {
    let opened: OpenedStore;
    let store: BlobStore;
    beforeAll(async () => {
      opened = await open();
      store = opened.store;
    }, 300_000);
    afterAll(async () => {
      await opened?.store.close();
      await opened?.close();
    });

    it("a stored object is returned with its hash, size, type and metadata", async () => {
      const blob = aBlob("whole/note.pdf");
      expect(await store.put(blob)).toBe("created");
      expect(await store.get(blob.path)).toEqual(Buffer.from(blob.bytes));
      expect(await store.head(blob.path)).toEqual({
        path: blob.path,
        size: blob.bytes.length,
        sha256: sha256Hex(blob.bytes),
        contentType: "application/pdf",
        metadata: blob.metadata,
        version: expect.stringMatching(/^[\w.-]+$/),
      });
    });

    it("what is not there is null and removing it is no error", async () => {
      expect(await store.get("absent/a.pdf")).toBeNull();
      expect(await store.head("absent/a.pdf")).toBeNull();
      await store.remove("absent/a.pdf");
      expect(await listed(store, "absent/")).toEqual([]);
    });

    it("putting the same bytes again changes nothing", async () => {
      const blob = aBlob("again/note.pdf");
      await store.put(blob);
      const later = { ...blob, metadata: { source: "poller" } };
      expect(await store.put(later)).toBe("exists");
      expect((await store.head(blob.path))!.metadata).toEqual(blob.metadata);
    });

    it("other bytes under a taken path are refused and the first stay", async () => {
      const first = aBlob("taken/note.pdf", "first");
      await store.put(first);
      expect(await store.put(aBlob("taken/note.pdf", "second"))).toBe("conflict");
      expect(await store.get(first.path)).toEqual(Buffer.from(first.bytes));
    });

    it("of many writers that race for one path with different bytes one creates", async () => {
      const blobs = Array.from({ length: 12 }, (_, n) => aBlob("race/note.pdf", `writer ${n}`));
      const results = await Promise.all(blobs.map((blob) => store.put(blob)));
      expect(results.filter((result) => result === "created")).toHaveLength(1);
      expect(results.filter((result) => result === "conflict")).toHaveLength(11);
      const winner = blobs[results.indexOf("created")]!;
      expect(await store.get("race/note.pdf")).toEqual(Buffer.from(winner.bytes));
      expect((await store.head("race/note.pdf"))!.sha256).toBe(sha256Hex(winner.bytes));
    });

    it("paths and metadata in every script are returned unchanged", async () => {
      const path = "odd/sender_email=jos%C3%A9%40x%2Eco m/Übersicht +1 'ä' (größe) 株式.pdf";
      const metadata = {
        "sender-email": "josé 株式 <desk>@x.com",
        "trade-key": " padded ",
        note: "=?UTF-8?B?bm8=?=",
        "line-break": "a\r\nx-evil: 1",
      };
      expect(await store.put({ ...aBlob(path), metadata })).toBe("created");
      expect((await store.head(path))!.metadata).toEqual(metadata);
      expect(await listed(store, "odd/")).toEqual([path]);
      expect(await store.get(path)).not.toBeNull();
    });

    it("a list contains only the paths with the prefix, even over several pages", async () => {
      const paths = Array.from({ length: 8 }, (_, n) => `list/in/${n % 2}/note-${n}.pdf`);
      for (const path of [...paths, "list/inner.pdf", "list/other/x.pdf"]) {
        await store.put(aBlob(path));
      }
      expect(await listed(store, "list/in/")).toEqual(paths.sort());
      expect(await listed(store, "list/in/1/note-")).toHaveLength(4);
      expect(await listed(store, "list/in")).toEqual([...paths, "list/inner.pdf"].sort());
    });

    it("an empty and a large object are kept whole", async () => {
      const large = Buffer.alloc(6 * 1024 * 1024, "0123456789abcdef");
      for (const [path, bytes] of [
        ["size/empty.bin", Buffer.alloc(0)],
        ["size/large.bin", large],
      ] as const) {
        expect(await store.put({ ...aBlob(path), bytes })).toBe("created");
        const back = await store.get(path);
        expect(back!.equals(bytes)).toBe(true);
      }
    });

    it("a removed path can be written again, as another version", async () => {
      await store.put(aBlob("gone/note.pdf", "old"));
      const old = await store.head("gone/note.pdf");
      await store.remove("gone/note.pdf");
      expect(await store.get("gone/note.pdf")).toBeNull();
      expect(await store.put(aBlob("gone/note.pdf", "new"))).toBe("created");
      expect((await store.head("gone/note.pdf"))!.version).not.toBe(old!.version);
    });

    it("a path that could escape is never sent", async () => {
      for (const path of ["", "../x", "a/../b", "/a", "a//b", "a\\b", "a/\0", "x/".repeat(600)]) {
        await expect(store.put(aBlob(path))).rejects.toThrow("plain parts");
      }
    });

    it("the probe passes on a store that can be written and refuses to overwrite", async () => {
      await store.probe();
      await store.probe();
    });
  });
}

/** What a store over the network must do when the network or the service is rude. */
export function testRemoteBlobStore(
  name: string,
  open: () => Promise<Required<OpenedStore>>,
): void {
  describe(`${name}, over a rude network`, () => {
    let opened: Required<OpenedStore>;
    beforeAll(async () => {
      opened = await open();
    }, 300_000);
    afterAll(async () => {
      await opened?.store.close();
      await opened?.close();
    });

    it("a write whose answer was lost succeeds and is there once", async () => {
      const { store, proxy } = opened;
      const blob = aBlob("lost/note.pdf");
      proxy.loseNextAnswer(store.kind === "gcs" ? "POST" : "PUT");
      const result = await putUntilAnswered(store, blob);
      expect(result).toBe("exists");
      expect(await listed(store, "lost/")).toEqual(["lost/note.pdf"]);
      expect(await store.get(blob.path)).toEqual(Buffer.from(blob.bytes));
    });

    it("a service that is down or refuses us is a fault to be retried", async () => {
      const { store, proxy } = opened;
      const down = { code: "blob.unavailable", remedy: "retry" };
      proxy.answerAll(503);
      await expect(store.put(aBlob("down/note.pdf"))).rejects.toMatchObject(down);
      proxy.answerAll(403);
      const refused = { ...down, facts: { status: 403 } };
      await expect(store.put(aBlob("down/note.pdf"))).rejects.toMatchObject(refused);
      await expect(store.get("down/note.pdf")).rejects.toMatchObject(refused);
      await expect(store.head("down/note.pdf")).rejects.toMatchObject(refused);
      await expect(store.remove("down/note.pdf")).rejects.toMatchObject(refused);
      await expect(listed(store, "down/")).rejects.toMatchObject(refused);
      await expect(store.probe()).rejects.toMatchObject(refused);
      proxy.answerAll(null);
      expect(await store.put(aBlob("down/note.pdf"))).toBe("created");
    });

    it("bytes that were damaged on the way are never taken for archived", async () => {
      const { store, proxy } = opened;
      const blob = aBlob("damaged/note.pdf");
      proxy.damageNextBody(store.kind === "gcs" ? "POST" : "PUT");
      await expect(store.put(blob)).rejects.toMatchObject({ code: "blob.unavailable" });
      const again = await store.put(blob);
      // Azure tells only after it has stored; the damaged copy is then in the way, and named so.
      expect(again).toBe(store.kind === "azure" ? "conflict" : "created");
    });
  });
}

/** An SDK may give up instead of repeating; the caller's retry then finds the object. */
async function putUntilAnswered(store: BlobStore, blob: NewBlob) {
  return store.put(blob).catch((error) => {
    expect(error).toMatchObject({ code: "blob.unavailable" });
    return store.put(blob);
  });
}

export function aBlob(path: string, text = "note"): NewBlob {
  return {
    path,
    bytes: Buffer.from(`%PDF-1.7\n${text}\n%%EOF\n`),
    contentType: "application/pdf",
    metadata: { "sender-email": "john.doe@company.com", source: "graph_webhook" },
  };
}

export async function listed(store: BlobStore, prefix: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of store.list(prefix)) paths.push(path);
  return paths.sort();
}
