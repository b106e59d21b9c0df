import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readOrCreate, toDiskFault } from "../../src/files/disk.ts";
import { type FileStore, openDiskFileStore } from "../../src/files/file-store.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { sha256Hex } from "../../src/lib/hash.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { withFileSizeMax } from "./file-size-max.ts";

/** Later than anything was ever put. */
const NEVER = new Date(8.64e15);

describe("the file store", () => {
  let folder: string;
  let store: FileStore;
  const open = () => openDiskFileStore({ folder, clock: systemClock, random: systemRandom });
  const pathOf = (id: string) => join(folder, id.slice(0, 2), id);
  const note = Buffer.from("%PDF-1.7 note");

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "postroom-files-"));
    store = await open();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("keeps bytes under their SHA-256", async () => {
    const stored = await store.put(note);
    expect(stored).toEqual({ id: sha256Hex(note), size: note.length, isNew: true });
    expect(await store.get(stored.id)).toEqual(note);
    expect(await store.stat(stored.id)).toEqual({ size: note.length });
    expect(await store.has(stored.id)).toBe(true);
  });

  it("a second opening finds what the first one kept", async () => {
    const { id } = await store.put(note);
    expect(await (await open()).get(id)).toEqual(note);
  });

  it("putting the same bytes again writes nothing", async () => {
    await store.put(note);
    expect((await store.put(note)).isNew).toBe(false);
  });

  it("many writers of the same bytes leave one whole file", async () => {
    const many = await Promise.all(Array.from({ length: 20 }, () => store.put(note)));
    expect(new Set(many.map((stored) => stored.id)).size).toBe(1);
    expect(await store.get(many[0]!.id)).toEqual(note);
    expect(await readdir(join(folder, "incoming"))).toEqual([]);
  });

  it("what is not there is null and removing it is no error", async () => {
    const id = sha256Hex("nothing");
    expect(await store.get(id)).toBeNull();
    expect(await store.stat(id)).toBeNull();
    expect(await store.has(id)).toBe(false);
    expect(await store.removeUnused(id, new Date())).toBe(true);
  });

  it("what nobody has put for long can be removed, what was put again since cannot", async () => {
    const { id } = await store.put(note);
    const [monthAgo, weekAgo] = [30, 7].map((days) => new Date(Date.now() - days * 86_400_000));
    expect(await store.removeUnused(id, weekAgo!)).toBe(false);
    await utimes(pathOf(id), monthAgo!, monthAgo!);
    await store.put(note);
    expect(await store.removeUnused(id, weekAgo!)).toBe(false);
    expect(await store.get(id)).toEqual(note);
    await utimes(pathOf(id), monthAgo!, monthAgo!);
    expect(await store.removeUnused(id, weekAgo!)).toBe(true);
    expect(await store.get(id)).toBeNull();
    expect(await readdir(join(folder, "incoming"))).toEqual([]);
  });

  it("putting and removing at one instant never loses what was put", async () => {
    const { id } = await store.put(note);
    const monthAgo = new Date(Date.now() - 30 * 86_400_000);
    const weekAgo = new Date(Date.now() - 7 * 86_400_000);
    for (let round = 0; round < 50; round += 1) {
      await utimes(pathOf(id), monthAgo, monthAgo);
      await Promise.all([store.put(note), store.removeUnused(id, weekAgo)]);
      expect(await store.get(id)).toEqual(note);
    }
  });

  it("a name that is not a hash is refused before the disk is touched", async () => {
    for (const id of ["../../etc/passwd", "", "A".repeat(64), `${"a".repeat(64)}/x`]) {
      await expect(store.get(id)).rejects.toThrow("SHA-256");
    }
  });

  it("a file cut short on disk is refused loudly, and putting it again repairs it [R46]", async () => {
    const { id } = await store.put(note);
    await writeFile(pathOf(id), note.subarray(0, 5));
    await expect(store.get(id)).rejects.toMatchObject({ code: "blob.conflict" });
    expect((await store.put(note)).isNew).toBe(true);
    expect(await store.get(id)).toEqual(note);
  });

  it("a full disk is a fault that waits, leaves no half file, and passes when there is room", async () => {
    const large = Buffer.alloc(1024 * 1024, 7);
    await withFileSizeMax(64 * 1024, async () => {
      await expect(store.put(large)).rejects.toMatchObject({ code: "store.full", remedy: "wait" });
      expect(await store.get(sha256Hex(large))).toBeNull();
      expect(await readdir(join(folder, "incoming"))).toEqual([]);
      expect((await store.put(note)).isNew).toBe(true);
    });
    expect((await store.put(large)).isNew).toBe(true);
    expect((await store.get(sha256Hex(large)))!.equals(large)).toBe(true);
  });

  it("a small file that is written once is whole or absent, and of many writers one decides", async () => {
    const path = join(folder, "key");
    await withFileSizeMax(4, () =>
      expect(readOrCreate(path, "longer than that", systemRandom)).rejects.toMatchObject({
        code: "store.full",
      }),
    );
    expect((await readdir(folder)).filter((name) => name.startsWith("key"))).toEqual([]);
    const texts = Array.from({ length: 20 }, (_, n) => `key ${n}`);
    const read = await Promise.all(texts.map((text) => readOrCreate(path, text, systemRandom)));
    expect(new Set(read).size).toBe(1);
    expect(texts).toContain(read[0]);
    expect(await readFile(path, "utf8")).toBe(read[0]);
    expect((await readdir(folder)).filter((name) => name.startsWith("key"))).toEqual(["key"]);
  });

  it("the kernel's own word for a full disk is understood", async () => {
    const error = await writeFile("/dev/full", "x").catch((thrown: unknown) => thrown);
    expect(toDiskFault(error)).toMatchObject({ code: "store.full" });
  });

  it("what a killed writer left is never seen and is removed at a later start", async () => {
    const left = join(folder, "incoming", "left-over");
    await writeFile(left, "half");
    await open();
    expect(await readFile(left, "utf8")).toBe("half"); // may still be being written
    const longAgo = (systemClock.now() - 2 * 60 * 60 * 1000) / 1000;
    await utimes(left, longAgo, longAgo);
    await open();
    expect(await readdir(join(folder, "incoming"))).toEqual([]);
  });

  it("a process killed at any moment of a write leaves the file whole or absent", async () => {
    const script = join(import.meta.dirname, "put-and-die.ts");
    const large = Buffer.alloc(3 * 1024 * 1024, 9);
    for (const diesAfterMs of [0, 2, 5, 10]) {
      await store.removeUnused(sha256Hex(large), NEVER);
      const args = ["--import", "tsx", script, folder, "file", String(diesAfterMs)];
      expect(() => execFileSync(process.execPath, args, { stdio: "ignore" })).toThrow();
      const found = await store.get(sha256Hex(large));
      expect(found === null || found.equals(large)).toBe(true);
    }
    expect((await store.put(large)).size).toBe(large.length);
  });
});
