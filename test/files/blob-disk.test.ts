import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openBlobStore } from "../../src/files/open-blob-store.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { aBlob, listed, testBlobStore } from "./blob-store.suite.ts";

const open = async () => {
  const folder = await mkdtemp(join(tmpdir(), "postroom-blobs-"));
  const needs = { clock: systemClock, random: systemRandom };
  const store = await openBlobStore(needs, { kind: "disk", folder });
  return { store, folder, close: () => rm(folder, { recursive: true, force: true }) };
};

testBlobStore("the disk store", open);

it("parts longer than a file system allows are kept under their full path", async () => {
  const { store, folder, close } = await open();
  const long = "%E4".repeat(180);
  const paths = [`a/${long}1/x.pdf`, `a/${long}2/x.pdf`, `a/${long.slice(0, 90)}/x.pdf`];
  for (const [n, path] of paths.entries()) {
    expect(await store.put(aBlob(path, String(n)))).toBe("created");
  }
  expect(await listed(store, "a/")).toEqual(paths.sort());
  for (const path of paths) expect((await store.head(path))!.path).toBe(path);
  const [shortened] = (await readdir(join(folder, "objects/a"))).filter((name) =>
    name.includes("~"),
  );
  expect(await store.get(`a/${shortened}/x.pdf`)).toBeNull();
  await close();
});

it("a process killed at any moment of a write leaves the object whole and described, or absent", async () => {
  const { store, folder, close } = await open();
  const script = join(import.meta.dirname, "put-and-die.ts");
  for (const diesAfterMs of [0, 2, 5, 9, 14]) {
    await store.remove("a/b.pdf");
    const args = ["--import", "tsx", script, folder, "blob", String(diesAfterMs)];
    expect(() => execFileSync(process.execPath, args, { stdio: "ignore" })).toThrow();
    const found = await store.head("a/b.pdf");
    const whole = { size: 3 * 1024 * 1024, metadata: { source: "poller" } };
    if (found !== null) expect(found).toMatchObject(whole);
    expect(await listed(store, "a/")).toEqual(found === null ? [] : ["a/b.pdf"]);
  }
  const bytes = Buffer.alloc(3 * 1024 * 1024, 9);
  expect(await store.put({ ...aBlob("a/b.pdf"), bytes })).not.toBe("conflict");
  await close();
});
